import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const nightly = `select set_schedule('nightly', '{"task": {"queue": "reports"}, "cron": "30 2 * * *", "zone": "Europe/Berlin"}')`

describeInBrowser('schedules', () => {
  test('show the command that plans something while nothing is planned', async ({ visit }) => {
    const page = await visit('/schedules')

    await page.getByText('tusk schedule set nightly').waitFor()
  })

  test('show when they come, in words, and how the last one went', async ({ visit, db }) => {
    await db.query(nightly)
    const page = await visit('/schedules')

    const row = page.getByRole('row', { name: /^nightly / })
    await row.getByText('At 02:30 Europe/Berlin').waitFor()
    await row.getByText('planned').waitFor()

    await db.query("select run_schedule('nightly')")
    await row.getByRole('link', { name: /^ready task \d+$/ }).waitFor()
  })

  test('are made with a preview that knows when clocks change', async ({ visit, db }) => {
    const page = await visit('/schedules')
    await page.getByRole('link', { name: 'New schedule' }).click()

    await page.getByLabel('Name').fill('spring')
    await page.getByLabel('Cron', { exact: true }).fill('30 2 25-31 3 *')
    await page.getByLabel('Zone').fill('Europe/Berlin')
    await page.getByText('At 02:30 on the 25th through 31st of March (Europe/Berlin)').waitFor()
    await page.getByText('02:30 does not exist: moved to 03:00').first().waitFor()
    await page.getByRole('button', { name: 'Handler', exact: true }).click()
    await page.getByLabel('Queue').fill('reports')
    await page.getByLabel('Payload, JSON').fill('{"month": 3}')
    await page.getByRole('button', { name: 'Make the schedule' }).click()

    await page.getByRole('heading', { name: 'spring', level: 1 }).waitFor()
    const { rows } = await db.query("select cron, zone, task from schedule where name = 'spring'")
    expect(rows).toEqual([
      {
        cron: '30 2 25-31 3 *',
        zone: 'Europe/Berlin',
        task: { queue: 'reports', kind: 'handler', payload: { month: 3 } },
      },
    ])
  })

  test('say what is wrong with a cron while it is being written', async ({ visit }) => {
    const page = await visit('/plan')

    await page.getByLabel('Cron', { exact: true }).fill('61 * * * *')

    await page.getByRole('region', { name: 'Preview' }).getByText(/61/).waitFor()
  })

  test('do not replace one of the same name unasked', async ({ visit, db }) => {
    await db.query(nightly)
    const page = await visit('/plan')

    await page.getByLabel('Name').fill('nightly')
    await page.getByLabel('SQL', { exact: true }).fill('select 1')
    await page.getByRole('button', { name: 'Make the schedule' }).click()

    await page.getByRole('alert').getByText('There is a schedule named nightly already.').waitFor()
  })

  test('are changed in what differs alone', async ({ visit, db }) => {
    await db.query(nightly)
    await db.query(
      `select set_schedule('nightly', '{"task": {"queue": "reports", "meta": {"by": "hand"}}}')`,
    )
    const page = await visit('/schedules/nightly')

    await choose(page, 'Edit')
    await page.getByRole('button', { name: 'Interval' }).click()
    await page.getByLabel('Every').fill('2 hours')
    await page.getByText('Every 2 hours').waitFor()
    await page.getByText('Start, end, what is missed and what overlaps').click()
    await page.getByLabel('While one is not over').selectOption('skip')
    await page.getByRole('button', { name: 'Save the changes' }).click()

    await page.getByRole('heading', { name: 'nightly', level: 1, exact: true }).waitFor()
    const { rows } = await db.query('select cron, every::text, overlap, task from schedule')
    expect(rows).toEqual([
      {
        cron: null,
        every: '02:00:00',
        overlap: 'skip',
        task: { queue: 'reports', meta: { by: 'hand' } },
      },
    ])
  })

  test('run now, pause and go on', async ({ visit, db }) => {
    await db.query(nightly)
    const page = await visit('/schedules/nightly')

    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('nightly was fired.').waitFor()
    await page.getByRole('table', { name: 'Past occurrences' }).getByText('run now').waitFor()
    await choose(page, 'Pause')
    await page.getByText('Next runs, once it is resumed').waitFor()
    await choose(page, 'Resume')

    await page.getByRole('heading', { name: 'Next runs', exact: true }).waitFor()
  })

  test('are backfilled, once the count is seen, and what has fired not again', async ({
    visit,
    db,
  }) => {
    await db.query(nightly)
    await db.query(`select set_schedule('nightly', '{"starts_at": "2020-01-01"}')`)
    const page = await visit('/schedules/nightly')

    await choose(page, 'Backfill')
    await page.getByLabel('From, in your time zone').fill('2026-01-01T00:00')
    await page.getByLabel('To', { exact: true }).fill('2026-01-03T23:59')
    await page.getByText('3 times planned in this range').waitFor()
    await page.getByRole('button', { name: 'Backfill', exact: true }).click()

    await page.getByText('3 tasks made.').waitFor()
    await choose(page, 'Backfill')
    await page.getByLabel('From, in your time zone').fill('2026-01-01T00:00')
    await page.getByLabel('To', { exact: true }).fill('2026-01-03T23:59')
    await page.getByRole('button', { name: 'Backfill', exact: true }).click()
    await page.getByText('0 tasks made.').waitFor()
  })

  test('show what became of each time, skipped ones with the reason', async ({ visit, db }) => {
    await db.query(nightly)
    await db.query(
      `insert into occurrences (schedule, planned_at, outcome, reason, origin, recorded_at)
       values ('nightly', now() - interval '1 day', 'skipped', 'overlap', 'schedule', now())`,
    )
    const page = await visit('/schedules/nightly')

    await page.getByText('skipped: the one before was not over').waitFor()
    await page.getByRole('img', { name: '1 occurrences: 0 failed, 1 skipped' }).waitFor()
  })

  test('are deleted after a question', async ({ visit, db }) => {
    await db.query(nightly)
    const page = await visit('/schedules/nightly')

    await choose(page, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 schedule' }).click()

    await page.getByText('Nothing is planned').waitFor()
    expect((await db.query('select from schedule')).rowCount).toBe(0)
  })

  test('do not send a connection string back that was shown without its password', async ({
    visit,
    db,
  }) => {
    await db.query(
      `select set_schedule('far', '{"every": "1 hour", "task": {"queue": "sql", "kind": "sql", "payload": {"sql": "select 1", "connection": {"dsn": "host=far password=secret"}}}}')`,
    )
    const page = await visit('/plan?schedule=far')

    await page.getByText('a connection string whose password is not shown').waitFor()
    await page.getByLabel('Every').fill('3 hours')
    await page.getByRole('button', { name: 'Save the changes' }).click()

    await page.getByRole('heading', { name: 'far', level: 1, exact: true }).waitFor()
    const { rows } = await db.query('select every::text, task::text as task from schedules')
    expect(rows).toEqual([{ every: '03:00:00', task: expect.stringContaining('password=secret') }])
  })
})
