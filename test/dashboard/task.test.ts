import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { until } from '../support/until.ts'

async function clipboard(page: Page): Promise<string> {
  return String(await page.evaluate('navigator.clipboard.readText()'))
}

describeInBrowser('the page of a task', () => {
  test('marks the place of the error in its SQL', async ({ visit, work, db, engine }) => {
    await work({ sql: true })
    await db.query(
      "select sql('select id, totl from (values (1, 2)) as t (id, total)', p_max_attempts => 1)",
    )
    await until(() => engine.value("select state = 'failed' from task"))

    const page = await visit('/tasks/1')

    expect(await page.locator('mark').textContent()).toBe('totl')
    await page.getByText('column "totl" does not exist').first().waitFor()
    const error = page.getByRole('region', { name: 'Error' })
    await error.getByText('Perhaps you meant to reference the column "t.total".').waitFor()
    await error.getByText('SqlError · 42703').waitFor()
  })

  test('says why it waits and what to do, until it starts', async ({ visit, db, work }) => {
    await db.query("select enqueue('mail', p_handler => 'welcome')")
    const page = await visit('/tasks/1')
    const note = page.getByRole('region', { name: 'Why it waits' })

    await note.getByText('No worker serves queue mail.').waitFor()
    await note.getByText('Start a worker with this queue, or check its spelling.').waitFor()

    await work({ tasks: { welcome: async () => 1 }, queues: ['mail'] })
    await page.getByText('done', { exact: true }).first().waitFor()
    await note.waitFor({ state: 'detached' })
  })

  test('shows what its SQL gave, with types, tags and notices', async ({
    visit,
    work,
    db,
    engine,
  }) => {
    await work({ sql: true })
    await db.query(`select sql($1)`, [
      "select 7 as n, null::text as nothing; do $$ begin raise notice 'hello from SQL'; end $$",
    ])
    await until(() => engine.value("select state = 'done' from task"))

    const page = await visit('/tasks/1')

    await page.getByRole('columnheader', { name: 'n integer' }).waitFor()
    await page.getByRole('cell', { name: '7' }).waitFor()
    await page.getByRole('cell', { name: 'null' }).waitFor()
    await page.getByText('SELECT 1', { exact: true }).waitFor()
    await page.getByText('hello from SQL').first().waitFor()
  })

  test('says what of its output was not kept', async ({ visit, work, db, engine }) => {
    await work({ sql: true })
    const noisy = `do $$ begin raise notice '%', repeat('x', 900); end $$`
    await db.query("select sql('select 1')")
    await engine.setQueue('sql', { sql_max_rows: 2, sql_max_bytes: 700 })
    await db.query(`select sql($1)`, [`select n from generate_series(1, 5) as n; ${noisy}`])
    await until(() => engine.value("select count(*) = 2 from task where state = 'done'"))

    const page = await visit('/tasks/2')

    await page.getByText('3 rows not kept').waitFor()
    await page.getByText('1 notice not kept').waitFor()
    await page.goto(page.url().replace('/tasks/2', '/tasks/1'))
    await page.getByText('SELECT 1', { exact: true }).waitFor()
    expect(await page.getByText('not kept').count()).toBe(0)
  })

  test('tells the backend of SQL that runs, and who blocks it', async ({
    visit,
    work,
    db,
    connect,
  }) => {
    await work({ sql: true })
    const other = await connect()
    const { rows } = await other.query('select pg_backend_pid() as pid')
    await other.query('begin; select pg_advisory_xact_lock(4242)')
    await db.query("select sql('select pg_advisory_xact_lock(4242)')")

    const page = await visit('/tasks/1')

    await page.getByText('Lock: advisory').waitFor()
    await page.getByText(`Blocked by backend ${rows[0].pid}.`).waitFor()
    await other.query('rollback')
    await page.getByRole('heading', { name: 'done' }).waitFor()
  })

  test('brings back what has ended', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail')")
    await db.query('select cancel(1)')
    const page = await visit('/tasks/1')

    await page.getByRole('button', { name: 'Retry', exact: true }).click()

    await page.getByText('Task 1 is queued again.').waitFor()
    await page.getByRole('heading', { name: 'ready' }).waitFor()
    expect(await engine.value('select state from task')).toBe('ready')
  })

  test('shows the payload that took the place of one with many digits', async ({ visit, db }) => {
    await db.query(`select enqueue('mail', '{"n": 12345678901234567890}')`)
    const page = await visit('/tasks/1')
    const payload = page.getByRole('region', { name: 'Payload' }).first()
    await payload.getByText('12345678901234567890').waitFor()

    // The digits come too late to be asked for still.
    await page.route(/\/texts$/, () => {})
    await db.query(`select amend(1, '{"payload": {"n": 5}}')`)

    await payload.getByText('5', { exact: true }).waitFor()
  })

  test('shows numbers with all their digits', async ({ visit, db }) => {
    const digits = '12345678901234567890.123456789'
    await db.query(`select enqueue('mail', '{"n": ${digits}, "small": 1.50}')`)
    const page = await visit('/tasks/1')

    await page.getByRole('region', { name: 'Payload' }).getByText(digits).waitFor()
  })

  test('has a task that waits for its time run now', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail', p_run_at => now() + interval '1 day')")
    const page = await visit('/tasks/1')

    await page.getByRole('button', { name: 'Run now' }).click()

    await page.getByText('Task 1 is due now.').waitFor()
    await until(() => engine.value("select state = 'ready' from task"))
  })

  test('stops what runs, after asking', async ({ visit, work, db, engine }) => {
    await work({ sql: true })
    await db.query("select sql('select pg_sleep(600)')")
    await until(() => engine.value("select state = 'running' from task"))
    const page = await visit('/tasks/1')

    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByText(/It runs now/)
      .waitFor()
    await page.getByRole('button', { name: 'Cancel the task' }).click()

    await page.getByRole('heading', { name: 'cancelled' }).waitFor()
  })

  test('kills what runs, after asking, and its worker lets go', async ({
    visit,
    work,
    db,
    engine,
  }) => {
    await work({ sql: true })
    await db.query("select sql('select pg_sleep(600)')")
    await until(() => engine.value("select state = 'running' from task"))
    const page = await visit('/tasks/1')

    await page.getByRole('button', { name: 'Kill', exact: true }).click()
    await page.getByRole('button', { name: 'Kill the task' }).click()

    await page.getByRole('heading', { name: 'failed' }).waitFor()
    expect(await engine.value('select reason from task')).toBe('killed')
    const sleeping = "query like 'select pg_sleep(600%' and pid <> pg_backend_pid()"
    await until(() =>
      engine.value(`select not exists (select from pg_stat_activity where ${sleeping})`),
    )
  })

  test('runs the same again as another task, with every digit', async ({ visit, db, engine }) => {
    const payload = '{"n": 90071992547409931234, "share": 1.10000000000000000001}'
    await db.query("select enqueue('mail', $1, p_key => 'k', p_tags => '{a}')", [payload])
    const page = await visit('/tasks/1')

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Run again as a new task' }).click()

    await page.getByText(/^Task \d+ is a copy of this one\.$/).waitFor()
    await page.getByRole('heading', { name: /^Task #(?!1\b)\d+/ }).waitFor()
    expect(await engine.value('select payload::text from task where id <> 1')).toBe(payload)
  })

  test('deletes it, after asking, and goes to the list', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail')")
    const page = await visit('/tasks/1')

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the task' }).click()

    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    expect(await engine.value('select count(*)::integer from task')).toBe(0)
    await page.goBack()
    await page.getByText('This task is gone').waitFor()
  })

  test('copies it as SQL, as a command and as curl', async ({ visit, db, schema, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await db.query("select enqueue('mail', '{\"n\": 1}')")
    const page = await visit('/tasks/1')
    const copied = async (what: string) => {
      await page.getByRole('button', { name: 'Copy as' }).click()
      await page.getByRole('menuitem', { name: what }).click()
      await page
        .getByText(/^Copied as/)
        .last()
        .waitFor()
    }

    await copied('SQL')
    await expect
      .poll(() => clipboard(page))
      .toBe(`select * from ${schema}.enqueue('mail', '{"n":1}');`)
    await copied('Command line')
    await expect.poll(() => clipboard(page)).toBe(`tusk task add 'mail' --payload '{"n":1}'`)
    await copied('curl')
    await expect.poll(() => clipboard(page)).toContain('/api/v1/tasks')
  })

  test('shows progress and log lines as they come', async ({ visit, db, engine }) => {
    const { id, claim } = await engine.running()
    const page = await visit(`/tasks/${id}`)
    await page.getByRole('heading', { name: /^Task .* running$/ }).waitFor()

    await db.query(`select progress($1, $2, '{"done": 3, "total": 4}')`, [id, claim])
    await db.query(`select log(array[$1::bigint], array[$2::bigint], '{warn}', '{nearly there}')`, [
      id,
      claim,
    ])

    await page.getByText('75 %').waitFor()
    await page.getByRole('log').getByText('nearly there').waitFor()
  })
})
