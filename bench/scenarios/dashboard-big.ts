import { loadBigData } from '../dashboard/big-data.ts'
import { openTab } from '../dashboard/browser.ts'
import { addressesOf } from '../dashboard/pages.ts'
import { openSite, type Site } from '../dashboard/site.ts'
import { countSpent } from '../dashboard/spent.ts'
import { go, open, type Visit } from '../dashboard/visit.ts'
import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage } from './scenario.ts'

export const dashboardBig: Scenario = {
  name: 'dashboard-big',
  shows: 'every page of the dashboard amid 1 M finished and 1 M waiting tasks; milliseconds',
  variants: [
    {
      name: 'all pages',
      suits: (subject) => subject.keepsGroups,
      prepare: ({ admin, sizes }) => loadBigData(admin, sizes.background),
      round: measure,
    },
  ],
}

/** One page, reached by a link from another page, and loaded as a new page. */
interface Measured {
  readonly gone: Visit
  readonly opened: Visit
  /** Processor time of server and database for a visit by a link. */
  readonly spentMs: number
}

async function measure({ admin, subject }: Stage) {
  const site = await openSite(admin, subject.schema)
  try {
    await rehearse(site)
    const meter = await Meter.start(admin, {})
    const visits = await visitAll(admin, site)
    const figures = await meter.stop(visits.size)
    return { ...figures, more: { ...pageTimes(visits), ...callTimes(visits) } }
  } finally {
    await site.stop()
  }
}

/** Visits each page once before, so that the server's connections have cached what they cache. */
async function rehearse(site: Site): Promise<void> {
  const tab = await openTab(site)
  try {
    for (const [, path] of await addressesOf(site)) await open(tab.page, site.url + path)
  } finally {
    await tab.close()
  }
}

async function visitAll(admin: Stage['admin'], site: Site): Promise<ReadonlyMap<string, Measured>> {
  const tab = await openTab(site)
  try {
    const visits = new Map<string, Measured>()
    for (const [name, path] of await addressesOf(site)) {
      // Starts from a page that makes few calls, and none of those of the next page.
      await open(tab.page, site.url + (path === '/audit' ? '/chores' : '/audit'))
      const spent = await countSpent(admin, site)
      const gone = await go(tab.page, path)
      const spentMs = await spent()
      visits.set(name, { gone, spentMs, opened: await open(tab.page, site.url + path) })
    }
    return visits
  } finally {
    await tab.close()
  }
}

function pageTimes(visits: ReadonlyMap<string, Measured>): Record<string, number> {
  return Object.fromEntries(
    [...visits].flatMap(([name, { gone, opened, spentMs }]) => [
      [`${name}: shown`, gone.shownMs],
      ...(gone.countedMs === undefined ? [] : [[`${name}: counted`, gone.countedMs]]),
      [`${name}: settled`, gone.settledMs],
      [`${name}: opened`, opened.shownMs],
      [`${name}: processor`, spentMs],
    ]),
  )
}

/** For each call, the page that waited longest for it. */
function callTimes(visits: ReadonlyMap<string, Measured>): Record<string, number> {
  const longest = new Map<string, number>()
  for (const { path, ms } of [...visits.values()].flatMap(({ gone }) => gone.calls)) {
    const name = `GET ${shapeOf(path)}`
    longest.set(name, Math.max(longest.get(name) ?? 0, ms))
  }
  return Object.fromEntries(longest)
}

/** A path without the ids, names and times in it. */
function shapeOf(path: string): string {
  return path
    .replace(/=\d{4}-[^&]*/g, '=…')
    .replace(/\/(tasks|workers|schedules|queues|groups)\/(?!counts)[^/?]+/, '/$1/…')
}
