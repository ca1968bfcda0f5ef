import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { until } from '../support/until.ts'

describeInBrowser('workers and chores', () => {
  test('show the command that starts a worker while there is none', async ({ visit }) => {
    const page = await visit('/workers')

    await page.getByText('No worker is running').waitFor()
    await page.getByText('tusk start', { exact: true }).waitFor()
  })

  test('show the slots of a worker, what it holds, and drain it after a question', async ({
    visit,
    work,
    db,
  }) => {
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const worker = await work({ queues: ['mail'], concurrency: 3, tasks: { mail: () => held } })
    await db.query("select enqueue('mail') from generate_series(1, 2)")
    const page = await visit('/workers')

    const row = page.getByRole('row', { name: /mail/ })
    await row.getByText('2/3').waitFor()
    await row.getByRole('link').click()
    await page.getByRole('table', { name: 'Tasks' }).getByRole('link', { name: '#2' }).waitFor()
    await page.getByRole('button', { name: 'Drain…' }).click()
    await page.getByText('ends the 2 tasks that it holds').waitFor()
    await page.getByRole('button', { name: 'Drain the worker' }).click()
    await page.getByText('draining', { exact: true }).waitFor()

    release()
    await until(async () => (await db.query('select from worker')).rowCount === 0)
    expect((await db.query("select from task where state = 'done'")).rowCount).toBe(2)
    await worker.stop()
  })

  test('show who leads which chore, and ask a leader to resign', async ({ visit, work, db }) => {
    await work({ queues: ['mail'], tasks: { mail: () => null } })
    const page = await visit('/chores')

    const row = page.getByRole('row', { name: /^sweep / })
    await row.getByText('well').waitFor()
    await row.getByRole('button', { name: 'Resign…' }).click()
    await page.getByRole('button', { name: 'Ask it to resign' }).click()
    await page.getByText('The leader of sweep was asked to resign.').waitFor()

    await until(
      async () =>
        (await db.query("select from terms where chore = 'sweep' and how = 'resign'")).rowCount ===
        1,
    )
  })

  test('put the chore that needs an operator first, with what it said', async ({
    visit,
    work,
    db,
  }) => {
    await work({ queues: ['mail'], tasks: { mail: () => null } })
    await until(async () => ((await db.query('select from chore_runs')).rowCount ?? 0) > 5)
    await db.query(
      `update chore_runs set last_error = '{"message": "disk full"}', last_error_at = now() where chore = 'sweep'`,
    )
    const page = await visit('/chores')

    await page.getByText('sweep: disk full').waitFor()
  })
})
