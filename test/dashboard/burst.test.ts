import type { Pool } from 'pg'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { goTo } from '../support/go-to.ts'

const rounds = 40
const perRound = 100

/** Each task of a round is enqueued, claimed and completed: three events. */
async function burst(db: Pool): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await db.query(
      `select id from enqueue_many(array_fill('burst'::text, array[$1::integer]), array_fill('{}'::jsonb, array[$1]))`,
      [perRound],
    )
    const { rows } = await db.query<{ id: string; claim: string }>(
      `select id, claim from claim('burst', $1, 'test')`,
      [perRound],
    )
    const ids = rows.map(({ id }) => id)
    const claims = rows.map(({ claim }) => claim)
    await db.query('select from complete_many($1::bigint[], $2::bigint[])', [ids, claims])
  }
}

/** What the scripts of a page and its document hold, after everything was thrown away that can be. */
async function heldBy(page: Page): Promise<{ readonly megabytes: number; readonly nodes: number }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  await devtools.detach()
  const nodes = await page.evaluate<number>(`document.querySelectorAll('*').length`)
  return { megabytes: usedSize / 2 ** 20, nodes }
}

async function isLive(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Live\./ })
    .first()
    .waitFor()
}

/** The last task of all is shown as done: the page has come to the end of the burst. */
async function showsTheLast(page: Page, db: Pool): Promise<void> {
  const { rows } = await db.query<{ id: string }>('select max(id) as id from finished')
  await page.locator(`[data-row="${rows[0]?.id}"] .badge`, { hasText: 'done' }).waitFor()
}

describeInBrowser('a burst of thousands of changes', () => {
  test('leaves the list of tasks as large as it was, and up to date', async ({ visit, db }) => {
    const page = await visit('/tasks')
    await isLive(page)
    await burst(db)
    await showsTheLast(page, db)
    const before = await heldBy(page)

    await burst(db)
    await burst(db)
    await showsTheLast(page, db)

    const after = await heldBy(page)
    expect(after.nodes).toBeLessThan(before.nodes + 50)
    // 24,000 events came since; to keep them would have taken several megabytes.
    expect(after.megabytes - before.megabytes).toBeLessThan(2)
  })

  test('does not keep the page from answering', async ({ visit, db }) => {
    const page = await visit('/')
    await isLive(page)

    const bursting = burst(db)
    await goTo(page, 't', 'Tasks')
    await page.locator('[data-row] a').first().click()
    await page.waitForURL(/\/tasks\/\d+$/)
    await bursting

    const id = page.url().split('/').at(-1)
    await page.getByText(`#${id}`).first().waitFor()
    await page.locator('.badge', { hasText: 'done' }).first().waitFor()
  })

  test('can be paused by hand, and is caught up with afterwards', async ({ visit, db }) => {
    const page = await visit('/tasks')
    await isLive(page)
    const bursting = burst(db)
    await page.locator('[data-row]').first().waitFor()

    await page
      .getByRole('button', { name: /^Live\./ })
      .first()
      .click()
    await page
      .getByRole('button', { name: /^Paused\./ })
      .first()
      .waitFor()
    await bursting
    await page
      .getByRole('button', { name: /^Paused\./ })
      .first()
      .click()

    await showsTheLast(page, db)
  })
})
