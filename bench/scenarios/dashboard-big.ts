import { loadBigData } from '../dashboard/big-data.ts'
import { openTab } from '../dashboard/browser.ts'
import { addressesOf } from '../dashboard/pages.ts'
import { openSite, type Site } from '../dashboard/site.ts'
import { countSpent } from '../dashboard/spent.ts'
import { type Visit, visit } from '../dashboard/visit.ts'
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

interface Measured extends Visit {
  /** Of the processor, for server and database. */
  readonly spentMs: number
}

async function measure(stage: Stage) {
  const { admin, subject, sizes } = stage
  const site = await openSite(admin, subject.schema)
  try {
    const meter = await Meter.start(admin, {})
    const isRehearsal = sizes.seconds < 5
    const visits = await visitAll(stage, site, isRehearsal ? 1 : 2)
    const figures = await meter.stop(visits.size)
    return { ...figures, more: { ...pageTimes(visits), ...callTimes(visits) } }
  } finally {
    await site.stop()
  }
}

/** Each page twice, the second time counts: what the browser keeps, it has by then. */
async function visitAll(
  { admin }: Stage,
  site: Site,
  times: number,
): Promise<ReadonlyMap<string, Measured>> {
  const tab = await openTab(site)
  try {
    const visits = new Map<string, Measured>()
    for (const [name, path] of await addressesOf(site)) {
      for (let time = 1; time <= times; time++) {
        const spent = await countSpent(admin, site)
        const seen = await visit(tab.page, site.url + path)
        visits.set(name, { ...seen, spentMs: await spent() })
      }
    }
    return visits
  } finally {
    await tab.close()
  }
}

function pageTimes(visits: ReadonlyMap<string, Measured>): Record<string, number> {
  return Object.fromEntries(
    [...visits].flatMap(([name, { shownMs, settledMs, spentMs }]) => [
      [`${name}: shown`, shownMs],
      [`${name}: settled`, settledMs],
      [`${name}: processor`, spentMs],
    ]),
  )
}

/** Of the pages that make the same call, the one that waited longest for it. */
function callTimes(visits: ReadonlyMap<string, Visit>): Record<string, number> {
  const longest = new Map<string, number>()
  for (const { path, ms } of [...visits.values()].flatMap(({ calls }) => calls)) {
    const name = `GET ${shapeOf(path)}`
    longest.set(name, Math.max(longest.get(name) ?? 0, ms))
  }
  return Object.fromEntries(longest)
}

/** A path without the ids, names and times in it. */
function shapeOf(path: string): string {
  return path
    .replace(/=\d{4}-[^&]*/g, '=…')
    .replace(/\/(tasks|workers|schedules|queues|groups)\/(?!count)[^/?]+/, '/$1/…')
}
