import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

const most = 90_000

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
  test('is under 90 kB in all, packed file by file', async ({ dashboard }) => {
    const sizes = await sizesOf(dashboard)

    expect([...sizes.keys()].filter((name) => name.endsWith('.js'))).not.toEqual([])
    expect(sum(sizes.values())).toBeLessThan(most)
  })

  test('is under 90 kB on each page, which loads nothing from elsewhere', async ({
    visit,
    site,
    dashboard,
    db,
    context,
  }) => {
    await db.query("select enqueue('mail')")
    const sizes = await sizesOf(dashboard)
    await visit('/')

    for (const path of paths) {
      const page = await context.newPage()
      const loaded = new Set<string>()
      page.on('request', (request) => loaded.add(request.url()))
      await page.goto(site.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const known = [...sizes].filter(([name]) => loaded.has(`${site.url}/${name}`))
      await page.close()

      const weight = sum(known.map(([, size]) => size))
      expect(weight, path).toBeGreaterThan(20_000)
      expect(weight, path).toBeLessThan(most)
      expect([...loaded].filter((url) => !url.startsWith(`${site.url}/`))).toEqual([])
    }
  })
})

function sum(sizes: Iterable<number>): number {
  return [...sizes].reduce((all, size) => all + size, 0)
}

/** What each file weighs on its way, by its path. */
async function sizesOf(directory: string): Promise<Map<string, number>> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  const sizes = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [
        path.slice(directory.length + 1),
        gzipSync(await readFile(path), { level: 9 }).length,
      ] as const
    })
  return new Map(await Promise.all(sizes))
}
