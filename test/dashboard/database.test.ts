import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

describeInBrowser('the database', () => {
  test('shows sizes, sessions and migrations', async ({ visit, db }) => {
    await db.query("select enqueue('mail') from generate_series(1, 10)")
    const page = await visit('/database')

    await page.getByRole('table', { name: 'Tables' }).getByText('tasks', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'Connections' }).waitFor()
    const migrations = page.getByRole('table', { name: 'Migrations' })
    await migrations.getByText('schema/tasks.sql').waitFor()

    expect(await migrations.getByText('pending').count()).toBe(0)
  })

  test('shows who keeps a transaction open, and who waits for whom', async ({ visit, connect }) => {
    const [holder, waiter] = [await connect(), await connect()]
    await holder.query("begin; select enqueue('mail'); lock table groups in access exclusive mode")
    const pid = (await holder.query('select pg_backend_pid() as pid')).rows[0].pid
    const waiting = waiter.query('select count(*) from groups')
    const page = await visit('/database')

    const wait = page.getByRole('table', { name: 'Waiting for locks' })
    await wait.getByRole('cell', { name: String(pid), exact: true }).waitFor()
    await page
      .getByRole('table', { name: 'Open transactions' })
      .getByText('held back')
      .first()
      .waitFor()
    await holder.query('rollback')
    await waiting
  })
})
