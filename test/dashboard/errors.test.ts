import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Tasks that failed, each with a number of its own in what it says. */
async function fail(engine: TestEngine, queue: string, times: number, says: string): Promise<void> {
  for (let n = 1; n <= times; n += 1) {
    const task = await engine.running({ queue, maxAttempts: 1 })
    await engine.fail(task, { code: 'E_FULL', message: says.replace('#', String(n)) })
  }
  await engine.value('select roll_up()')
}

describeInBrowser('errors', () => {
  test('say that nothing has failed', async ({ visit }) => {
    const page = await visit('/errors')

    await page.getByText('Nothing has failed.').waitFor()
  })

  test('stand together when they say the same, and lead to their tasks', async ({
    visit,
    engine,
  }) => {
    await fail(engine, 'mail', 3, 'mailbox # is full')
    await fail(engine, 'reports', 1, 'no such month')
    const page = await visit('/errors')

    const row = page.getByRole('row', { name: /is full/ })
    await row.getByRole('cell', { name: '3', exact: true }).first().waitFor()
    await page.getByLabel('Queue', { exact: true }).selectOption('mail')
    await page.getByRole('row', { name: /no such month/ }).waitFor({ state: 'detached' })
    await row.getByRole('link', { name: /is full/ }).click()

    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await expect.poll(() => page.locator('[data-row]').count()).toBe(3)
  })

  test('have their tasks retried as one, after the count', async ({ visit, engine, db }) => {
    await fail(engine, 'mail', 3, 'mailbox # is full')
    await fail(engine, 'mail', 1, 'no answer')
    const page = await visit('/errors')

    await page
      .getByRole('row', { name: /is full/ })
      .getByRole('button')
      .click()
    await page.getByRole('menuitem', { name: 'Retry those that failed' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry 3 tasks' }).click()

    await page.getByText('3 tasks queued again.').waitFor()
    const { rows } = await db.query(
      'select state, count(*)::int as n from task group by state order by state',
    )
    expect(rows).toEqual([
      { state: 'failed', n: 1 },
      { state: 'ready', n: 3 },
    ])
  })
})
