import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

const perSecond = 5_000
const seconds = 8

describeInBrowser('a burst of 5,000 changes a second', () => {
  test('neither freezes the page nor grows its memory', { timeout: 120_000 }, async ({
    visit,
    db,
    context,
    annotate,
  }) => {
    await db.query("select enqueue('mail') from generate_series(1, 50)")
    const page = await visit('/tasks')
    await page
      .getByRole('button', { name: /^Live\./ })
      .first()
      .waitFor()
    const devtools = await context.newCDPSession(page)
    const heap = async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    }
    const before = await heap()
    await page.evaluate(`
      window.frameTimes = []
      let last = performance.now()
      const step = (now) => { window.frameTimes.push(now - last); last = now; requestAnimationFrame(step) }
      requestAnimationFrame(step)
    `)

    const from = performance.now()
    for (let second = 1; second <= seconds; second++) {
      await db.query(
        "insert into events (event, task, queue) select 'claim', 1 + n % 10000, 'mail' from generate_series(1, $1::integer) as n",
        [perSecond],
      )
      await page.waitForTimeout(Math.max(from + second * 1_000 - performance.now(), 0))
    }
    await db.query("select enqueue('afterwards')")
    await page.getByText('afterwards', { exact: true }).waitFor()

    const frames = ((await page.evaluate('window.frameTimes')) as number[]).toSorted(
      (a, b) => a - b,
    )
    const grown = ((await heap()) - before) / 1e6
    const at = (share: number) =>
      `${Math.round(frames[Math.floor((frames.length - 1) * share)] ?? 0)} ms`
    await annotate(
      `frames: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}; heap: ${grown.toFixed(1)} MB more`,
    )
    expect(grown).toBeLessThan(10)
    // A page that froze would have stopped drawing for most of the time.
    expect(frames.length).toBeGreaterThan(seconds * 10)
  })
})
