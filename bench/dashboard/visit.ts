import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** How long one page took, in milliseconds since the navigation began. */
export interface Visit {
  /** Until the answers of all calls of the page were drawn, except the counts beside the tabs. */
  readonly shownMs: number
  /** Until these counts were drawn, on pages with counts. */
  readonly countedMs: number | undefined
  /** Until no call was under way and nothing changed any more. */
  readonly settledMs: number
  readonly calls: readonly Call[]
}

export interface Call {
  /** Path and query of the request. */
  readonly path: string
  readonly ms: number
}

interface TimedCall extends Call {
  readonly end: number
}

interface Seen {
  readonly now: number
  /** When the document changed, and when the frame after that was drawn. */
  readonly draws: readonly (readonly [changedAt: number, drawnAt: number])[]
  readonly calls: readonly TimedCall[]
}

const quietMs = 400
const patienceMs = 20_000
/** Changes within this time count as one drawing. */
const pauseMs = 50

/** Runs in the page before its own scripts. A frame has been drawn when the turn after its callbacks begins. */
export const watchDrawing = `
  globalThis.drawing = { from: 0, draws: [] }
  new MutationObserver(() => {
    const draw = [performance.now(), Infinity]
    drawing.draws.push(draw)
    requestAnimationFrame(() => setTimeout(() => { draw[1] = performance.now() }))
  }).observe(document, { subtree: true, childList: true, characterData: true })
`

/** The stream of events never ends, so a visit does not wait for it. */
const look = `({
  now: performance.now() - drawing.from,
  draws: drawing.draws.map((times) => times.map((time) => time - drawing.from)),
  calls: performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/api/v1/') && !name.includes('/api/v1/events'))
    .map(({ name, duration, responseEnd }) =>
      ({ path: name.slice(name.indexOf('/api/v1/') + 7), ms: duration, end: responseEnd - drawing.from })),
})`

/** Loads an address as a new page, like a user who follows a link from another site. */
export function open(page: Page, address: string): Promise<Visit> {
  return visitBy(page, () => page.goto(address, { waitUntil: 'load' }))
}

/** Follows a link of the present page, and waits until the next page no longer changes. */
export function go(page: Page, path: string): Promise<Visit> {
  return visitBy(page, () =>
    page.evaluate(`{
      const link = document.createElement('a')
      link.href = ${JSON.stringify(path)}
      document.body.append(link)
      performance.clearResourceTimings()
      drawing.draws = []
      drawing.from = performance.now()
      link.click()
      link.remove()
    }`),
  )
}

async function visitBy(page: Page, leave: () => Promise<unknown>): Promise<Visit> {
  const underWay = new Set<unknown>()
  const isCall = (url: string) => url.includes('/api/v1/') && !url.includes('/api/v1/events')
  const begin = (request: { url(): string }) => isCall(request.url()) && underWay.add(request)
  const end = (request: unknown) => underWay.delete(request)
  page.on('request', begin)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  try {
    await leave()
    return await rest(page, underWay)
  } finally {
    page.off('request', begin)
    page.off('requestfinished', end)
    page.off('requestfailed', end)
  }
}

async function rest(page: Page, underWay: ReadonlySet<unknown>): Promise<Visit> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const seen = await page.evaluate<Seen>(look)
    const last = Math.max(...seen.calls.map(({ end }) => end), ...seen.draws.map(([at]) => at))
    if (underWay.size === 0 && seen.now - last > quietMs) return summarize(seen)
    if (Date.now() > giveUpAt) throw new Error(`${page.url()} does not come to rest`)
    await delay(25)
  }
}

function summarize(seen: Seen): Visit {
  const { draws, calls } = seen
  const first = calls.filter(({ path }, at) => at === calls.findIndex((one) => one.path === path))
  const counts = first.filter(({ path }) => path.startsWith('/tasks/counts'))
  const main = first.filter((call) => !counts.includes(call))
  return {
    shownMs: drawnAfter(draws, main),
    countedMs: counts.length === 0 ? undefined : drawnAfter(draws, counts),
    settledMs: Math.max(...calls.map(({ end }) => end), ...draws.map(([, drawnAt]) => drawnAt)),
    calls,
  }
}

/** When the last change was drawn that came from the last of these answers. */
function drawnAfter(draws: Seen['draws'], calls: readonly TimedCall[]): number {
  const end = Math.max(0, ...calls.map((call) => call.end))
  let lastChange = end
  let drawn = end
  for (const [changedAt, drawnAt] of draws) {
    if (changedAt > lastChange + pauseMs) break
    lastChange = Math.max(lastChange, changedAt)
    drawn = Math.max(drawn, drawnAt)
  }
  return drawn
}
