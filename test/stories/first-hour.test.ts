import { chromium } from 'playwright-core'
import { expect } from 'vitest'
import { findRunning } from '../../src/embedded/inspect.ts'
import { chromiumPath, describeInBrowser } from '../support/chromium.ts'
import { query } from '../support/home.ts'
import { linesUnder, test } from '../support/new-project.ts'
import { until } from '../support/until.ts'

/** Where what the person sees is kept, for people who want to look; by default nowhere. */
const shots = process.env['TUSK_TEST_SHOTS']

describeInBrowser('the first hour of a new user', () => {
  test('starts, tries the printed lines, breaks a handler, and finds out why', async ({
    project,
    home,
  }) => {
    const server = project.start(['start'])
    await server.says('Ctrl-C stops.')
    const address = /^Dashboard {2}(\S+)/m.exec(server.talk)?.[1] ?? ''
    const url = (await findRunning(home))?.url ?? ''
    const browser = await chromium.launch({
      executablePath: chromiumPath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    })
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      page.setDefaultTimeout(60_000)
      const shoot = async (name: string) => {
        if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png` })
      }

      // The printed lines, as they stand; each task is done and in the list.
      await page.goto(address)
      for (const line of linesUnder('Try it', server.talk)) {
        if (line.startsWith('select ')) await query(url, line.replace(/ {2}--.*/, ''))
        else await project.shell(line)
      }
      const origin = new URL(address).origin
      await page.goto(`${origin}/tasks`)
      const rows = page.getByRole('table').getByRole('row').filter({ hasText: 'done' })
      await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(4)
      await shoot('printed-lines')

      // A first handler that throws: the terminal says so, and so does the page of the task.
      await project.write('tasks.mjs', `export const greet = () => { throw new Error('no tea') }`)
      const worker = project.start(['work', './tasks.mjs', '--watch'])
      await worker.says('Working on greet')
      const id = (await project.shell('npx tusk task add greet --attempts 2')).trim()
      await worker.says('no tea')
      expect(worker.talk).toMatch(new RegExp(`greet[\\s\\S]*\\b${id}\\b`))
      expect(await project.shell(`npx tusk task show ${id} -o table`)).toContain('no tea')
      await page.goto(`${origin}/tasks/${id}`)
      await page.getByText('no tea').first().waitFor()
      await shoot('handler-throws')

      // Once it is fixed, the worker starts again by itself and the next attempt succeeds.
      await project.write('tasks.mjs', `export const greet = () => 'tea'`)
      await worker.says(/(Working on greet[\s\S]*){2}/)
      const state = `select state from tusk.task where id = ${id}`
      await until(async () => {
        const [row] = await query(url, state)
        if (row?.['state'] === 'failed') await project.shell(`npx tusk task retry ${id}`)
        return row?.['state'] === 'done'
      })
      await page.getByText('done').first().waitFor()

      // A task that no worker serves waits: the terminal and the dashboard both say why.
      const lost = (await project.shell('npx tusk task add nowhere')).trim()
      const why = /no worker serves queue nowhere/i
      expect(await project.shell(`npx tusk task show ${lost} -o table`)).toMatch(why)
      expect(await project.shell('npx tusk queue show nowhere -o table')).toMatch(why)
      await page.goto(`${origin}/tasks/${lost}`)
      await page.getByText(why).first().waitFor()
      await shoot('no-worker')
      await expect(project.shell('npx tusk queue pause nowhre')).rejects.toThrow(
        'Did you mean nowhere?',
      )

      await worker.stop()
      expect(await server.stop()).toBe(0)
      expect(await findRunning(home)).toBeUndefined()
    } finally {
      await browser.close()
    }
  })
})
