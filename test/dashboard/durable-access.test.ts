import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { seriousProblems } from '../support/axe.ts'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { durableVerbs } from '../support/durable.ts'
import type { TestEngine } from '../support/test-engine.ts'

const long = 'a-step-with-a-rather-long-name-as-people-do-give-them'

/** A task that waits for a signal, with steps, failed attempts, a family, signals and a stream; and one that failed. */
async function fill(engine: TestEngine): Promise<{ waiting: string; failed: string }> {
  const durable = durableVerbs(engine)
  const failing = await engine.running({ queue: 'orders' })
  await durable.save(failing, long, { number: 1 })
  await engine.fail(failing, { message: 'no' }, { retry: false })

  const first = await engine.running({ queue: 'orders' })
  await durable.save(first, 'bill', { number: 1 })
  await durable.save(first, long, null, 'retrying')
  await engine.fail(first, { message: 'the server is full' }, { delay: '0 seconds' })
  const second = await engine.claimOne('orders')
  await durable.save(second, 'ship', null, 'failed')
  const children = Array.from({ length: 30 }, (_, index) => [`pack ${index}`, { queue: 'pack' }])
  await durable.spawn(second, Object.fromEntries(children))
  for (const task of await engine.claim('pack', { limit: 5 })) {
    if (Number(task.id) % 2 === 0) await engine.complete(task)
    else await engine.fail(task, { message: 'no' }, { retry: false })
  }
  await engine.rows('select enqueue($1, p_after => array[$2::bigint])', 'report', second.id)
  await durable.signal(second.id, 'other', { by: 'ada' })
  await engine.rows('select write_chunks($1, $2, $3::jsonb[])', second.id, second.claim, [
    '"Hello"',
    `{"text": "${'long '.repeat(200)}"}`,
  ])
  await durable.suspend(second, { kind: 'signal', name: 'paid', signal: 'paid', for: '1 day' })
  return { waiting: second.id, failed: failing.id }
}

/** Everything that is loaded one after the other is there, and every step is open. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  await page.getByRole('region', { name: 'Steps' }).waitFor()
  if (await page.getByRole('heading', { level: 1, name: 'waiting' }).isVisible()) {
    await page.locator('[data-node]').nth(31).waitFor()
    await page.locator('.stream__line').nth(1).waitFor()
    await page.getByRole('region', { name: 'Signals not received yet' }).waitFor()
  }
  for (const summary of await page.locator('.step > summary').all()) await summary.click()
}

describeInBrowser('the page of a durable task', () => {
  for (const scheme of ['light', 'dark'] as const) {
    test(`can be used by everybody, in the ${scheme}`, async ({ visit, engine }) => {
      const ids = await fill(engine)
      const page = await visit('/')
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })

      for (const id of [ids.waiting, ids.failed]) {
        await open(page, `/tasks/${id}`)
        expect({ id, problems: await seriousProblems(page) }).toEqual({ id, problems: [] })
      }
      await open(page, `/tasks/${ids.waiting}`)
      await page.getByRole('button', { name: 'Dots' }).click()
      await page.getByRole('button', { name: /failed$/ }).click()
      expect(await seriousProblems(page)).toEqual([])
      await page.getByRole('button', { name: 'Send signal' }).click()
      await page.getByRole('dialog').waitFor()
      expect(await seriousProblems(page)).toEqual([])
    })
  }

  test('fits a phone without scrolling sideways', async ({ visit, engine }) => {
    const ids = await fill(engine)
    const page = await visit('/')
    await page.setViewportSize({ width: 360, height: 740 })

    for (const id of [ids.waiting, ids.failed]) {
      await open(page, `/tasks/${id}`)
      const over = await page.evaluate(
        'Math.max(document.documentElement.scrollWidth - document.documentElement.clientWidth, 0)',
      )
      expect({ id, over }).toEqual({ id, over: 0 })
    }
  })
})
