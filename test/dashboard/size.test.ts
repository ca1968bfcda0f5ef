import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

const paths = [
  '/',
  '/tasks',
  '/tasks/1',
  '/new',
  '/queues',
  '/schedules',
  '/plan',
  '/errors',
  '/workers',
  '/chores',
  '/database',
  '/audit',
  '/settings',
]

describeInBrowser('the weight of the dashboard', () => {
  test('stays under 80 kB, whichever page is opened', async ({
    visit,
    site,
    dashboard,
    db,
    context,
  }) => {
    await db.query("select enqueue('mail')")
    const sizes = await sizesOf(join(dashboard, 'assets'))
    await visit('/')

    for (const path of paths) {
      const page = await context.newPage()
      const loaded = new Set<string>()
      page.on('request', (request) => loaded.add(new URL(request.url()).pathname))
      await page.goto(site.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const weight = [...sizes].reduce(
        (sum, [name, size]) => sum + (loaded.has(`/assets/${name}`) ? size : 0),
        0,
      )
      await page.close()

      expect(weight, path).toBeGreaterThan(20_000)
      expect(weight, path).toBeLessThan(80_000)
    }
  })
})

async function sizesOf(directory: string): Promise<Map<string, number>> {
  const names = await readdir(directory)
  const sizes = names.map(
    async (name) => [name, gzipSync(await readFile(join(directory, name))).length] as const,
  )
  return new Map(await Promise.all(sizes))
}
