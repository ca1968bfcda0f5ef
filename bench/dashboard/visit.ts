import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** One page, loaded as a whole; times in milliseconds since somebody asked for it. */
export interface Visit {
  /** Until everything had been answered once and shown, but for the counts beside the tabs. */
  readonly shownMs: number
  /** Until nothing was under way or changed any more; pages load once more when their stream is open. */
  readonly settledMs: number
  readonly calls: readonly Call[]
}

export interface Call {
  /** Path and query, as it was asked for. */
  readonly path: string
  readonly ms: number
}

interface Seen {
  readonly now: number
  readonly lastChange: number
  readonly calls: readonly (Call & { readonly end: number })[]
}

const quietMs = 400
const patienceMs = 20_000

/** The stream of events never ends, and is not waited for. */
const look = `({
  now: performance.now(),
  lastChange: globalThis.lastChange,
  calls: performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/api/v1/') && !name.includes('/api/v1/events'))
    .map(({ name, duration, responseEnd }) =>
      ({ path: name.slice(name.indexOf('/api/v1/') + 7), ms: duration, end: responseEnd })),
})`

/** Opens an address and waits until the page has come to rest. */
export async function visit(page: Page, address: string): Promise<Visit> {
  const underWay = new Set<unknown>()
  const isCall = (url: string) => url.includes('/api/v1/') && !url.includes('/api/v1/events')
  const begin = (request: { url(): string }) => isCall(request.url()) && underWay.add(request)
  const end = (request: unknown) => underWay.delete(request)
  page.on('request', begin)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  try {
    await page.goto(address, { waitUntil: 'load' })
    return await rest(page, underWay)
  } finally {
    page.off('request', begin)
    page.off('requestfinished', end)
    page.off('requestfailed', end)
  }
}

async function rest(page: Page, underWay: ReadonlySet<unknown>): Promise<Visit> {
  const giveUpAt = Date.now() + patienceMs
  let firstRest = Number.POSITIVE_INFINITY
  for (;;) {
    const seen = await page.evaluate<Seen>(look)
    const mainEnd = Math.max(...firstOfEach(seen.calls).map(({ end }) => end))
    if (seen.lastChange >= mainEnd) firstRest = Math.min(firstRest, seen.lastChange)
    const lastEnd = Math.max(...seen.calls.map(({ end }) => end), seen.lastChange)
    const isQuiet = underWay.size === 0 && seen.now - lastEnd > quietMs
    if (isQuiet) {
      const shownMs = Math.max(mainEnd, Math.min(firstRest, lastEnd))
      return { shownMs, settledMs: lastEnd, calls: seen.calls }
    }
    if (Date.now() > giveUpAt) throw new Error(`${page.url()} does not come to rest`)
    await delay(25)
  }
}

/** The counts are asked for one after the other, below a list that can be read by then. */
function firstOfEach(calls: Seen['calls']): Seen['calls'] {
  const paths = calls.map(({ path }) => path)
  return calls.filter(
    ({ path }, place) => paths.indexOf(path) === place && !path.startsWith('/tasks/count'),
  )
}
