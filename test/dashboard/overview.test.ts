import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { until } from '../support/until.ts'

/** Drags over three tenths of a chart, and back out; answers how long the part was that the address named. */
async function zoomedHours(page: Page): Promise<number> {
  const box = await page.locator('.u-over').first().boundingBox()
  if (box === null) throw new Error('nothing was drawn')
  await page.mouse.move(box.x + box.width * 0.3, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + 40, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL(/from=.*&to=/)
  const { searchParams } = new URL(page.url())
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.waitForURL((url) => !url.search.includes('from='))
  const at = (name: string) => Date.parse(searchParams.get(name) ?? '')
  return (at('to') - at('from')) / 3_600_000
}

describeInBrowser('the overview', () => {
  test('tells health, and how much waits, runs and failed', async ({ visit, work, db, engine }) => {
    await work({ sql: true })
    await db.query("select enqueue('mail') from generate_series(1, 3)")
    await db.query(
      "select enqueue('mail', p_run_at => now() + interval '1 day') from generate_series(1, 2)",
    )
    await db.query("select sql('select 1/0', p_max_attempts => 1)")
    await until(() => engine.value("select exists (select from task where state = 'failed')"))

    const page = await visit('/')

    await page.getByRole('link', { name: /^Postgres .*, primary$/ }).waitFor()
    await page.getByRole('link', { name: /^1 worker, 0 of 10 slots in use$/ }).waitFor()
    await page.getByRole('link', { name: /^Due 3/ }).waitFor()
    await page.getByRole('link', { name: /^Later 2/ }).waitFor()
    await page.getByRole('link', { name: /^Failed 1 last hour · 100 %/ }).waitFor()
  })

  test.for([800, 1100, 1280])(
    'shows all of a long time, %i pixels wide',
    async (width, { visit, db }) => {
      const longAgo = "now() - interval '23 hours 59 minutes 30 s'"
      await db.query(`select enqueue('mail', p_run_at => ${longAgo})`)

      const page = await visit('/')
      await page.setViewportSize({ width, height: 800 })
      await page.locator('.tile time').waitFor()

      // What is beyond its tile is cut.
      const beyond = `{
        const time = document.querySelector('.tile time')
        const text = document.createRange()
        text.selectNodeContents(time)
        const tile = time.closest('.tile').getBoundingClientRect()
        Math.max(0, text.getBoundingClientRect().right - tile.right)
      }`
      expect(await page.evaluate(beyond)).toBe(0)
    },
  )

  test('puts queues with problems first, the worst on top', async ({ visit, db, engine }) => {
    await db.query("select enqueue('calm')")
    await db.query("select enqueue('stuck')")
    await db.query("select pause('stuck')")
    await db.query("select register_worker('w', '{calm,stuck}', 1, 'here', 1, '1')")
    const { id, claim } = await engine.running({ queue: 'broken', maxAttempts: 1 })
    await db.query(`select fail($1, $2, '{"message": "no"}')`, [id, claim])

    const page = await visit('/')

    const queues = page.getByRole('region', { name: 'Queues with problems' }).getByRole('row')
    await expect
      .poll(() => queues.allTextContents())
      .toEqual([
        expect.stringContaining('Queue'),
        expect.stringContaining('broken100 % failed in the last hour'),
        expect.stringContaining('stuckpaused while tasks are due'),
      ])
  })

  test('retries a failure with one click', async ({ visit, db, engine }) => {
    const { id, claim } = await engine.running({ maxAttempts: 1 })
    await db.query(`select fail($1, $2, '{"message": "mailbox full"}')`, [id, claim])
    const page = await visit('/')
    await page.getByRole('link', { name: 'mailbox full' }).waitFor()

    await page.getByRole('button', { name: `Retry task ${id}` }).click()

    await page.getByText('Nothing has failed.').waitFor()
    expect(await engine.value('select state from task')).toBe('ready')
  })

  test('shows what comes next by plan', async ({ visit, db }) => {
    await db.query(
      `select set_schedule('nightly', '{"cron": "30 2 * * *", "zone": "UTC", "task": {"queue": "reports"}}')`,
    )

    const page = await visit('/')

    const next = page.getByRole('region', { name: 'Next schedules' })
    await next.getByRole('link', { name: 'nightly' }).waitFor()
    await next.getByText(/^in \d+ [hms]$/).waitFor()
  })

  test('counts up as things happen', async ({ visit, db }) => {
    const page = await visit('/')
    await page.getByRole('link', { name: /^Due 0/ }).waitFor()

    await db.query("select enqueue('mail') from generate_series(1, 7)")

    await page.getByRole('link', { name: /^Due 7/ }).waitFor()
  })

  test('draws activity, and zooms by dragging, in the address', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail') from generate_series(1, 7)")
    await engine.value('select roll_up()')
    const page = await visit('/')
    const chart = page.getByRole('img', { name: /^Tasks per minute.*enqueued: last \d/ })
    await chart.waitFor()

    await page.getByRole('button', { name: '6h' }).click()
    await page.waitForURL(/range=6h/)

    // The hour before is shown until the six are there.
    await expect.poll(() => zoomedHours(page)).toBeCloseTo(6 * 0.3, 0)
  })
})
