import { setTimeout as delay } from 'node:timers/promises'
import { openTab, type Tab } from '../dashboard/browser.ts'
import { burst } from '../dashboard/burst.ts'
import { countFrames, whatIsHeld } from '../dashboard/frames.ts'
import { rowsLate } from '../dashboard/freshness.ts'
import { openSite, type Site } from '../dashboard/site.ts'
import { open } from '../dashboard/visit.ts'
import { Meter } from '../measure/meter.ts'
import type { Scenario, Stage } from './scenario.ts'

const longestSeconds = 20
const settleMs = 3_000
const watched = 'watched'
const megabyte = 2 ** 20

export const dashboardBurst: Scenario = {
  name: 'dashboard-burst',
  shows: 'a page of the dashboard in Chromium while 5,000 tasks a second change; rates are changes',
  mostRounds: 3,
  variants: [
    { name: 'Overview', path: '/' },
    { name: 'Tasks', path: '/tasks' },
    { name: 'Tasks of one queue', path: `/tasks?queue=${watched}` },
  ].map(({ name, path }) => ({
    name,
    suits: (subject) => subject.keepsGroups,
    round: (stage) => measure(stage, path),
  })),
}

async function measure(stage: Stage, path: string) {
  const site = await openSite(stage.admin, stage.subject.schema)
  try {
    const tab = await openTab(site)
    try {
      return await look(stage, site, tab, path)
    } finally {
      await tab.close()
    }
  } finally {
    await site.stop()
  }
}

async function look(stage: Stage, site: Site, tab: Tab, path: string) {
  const seconds = Math.min(stage.sizes.seconds, longestSeconds)
  await open(tab.page, site.url + path)
  // A short burst first: memory that a page needs for its first changes does not count as growth.
  await burst(stage, Math.min(seconds, 3))
  await delay(settleMs)
  const [page, server] = [await whatIsHeld(tab), await site.usage()]
  const meter = await Meter.start(stage.admin, {})
  const stopFrames = await countFrames(tab)
  const [changes, late] = await Promise.all([
    burst(stage, seconds),
    path.includes(watched) ? rowsLate(stage, tab.page, watched, seconds) : [],
  ])
  const frames = await stopFrames()
  const figures = await meter.stop(changes)
  await delay(settleMs)
  const [pageAfter, serverAfter] = [await whatIsHeld(tab), await site.usage()]
  return {
    ...figures,
    more: {
      'frame p50 ms': frames.p50,
      p99: frames.p99,
      longest: frames.longest,
      'long tasks': frames.longTasks,
      'their ms': frames.longTaskMs,
      'page heap MB before': page.heapBytes / megabyte,
      after: pageAfter.heapBytes / megabyte,
      'nodes before': page.nodes,
      'nodes after': pageAfter.nodes,
      'server heap MB before': server.heapBytes / megabyte,
      'server heap MB after': serverAfter.heapBytes / megabyte,
      'server resident MB after': serverAfter.residentBytes / megabyte,
      ...lateness(late),
    },
  }
}

function lateness(late: readonly number[]): Record<string, number> {
  if (late.length === 0) return {}
  const sorted = [...late].sort((a, b) => a - b)
  return {
    'rows seen': sorted.length,
    'late p50 ms': sorted[Math.floor((sorted.length - 1) / 2)] ?? 0,
    'late worst ms': sorted.at(-1) ?? 0,
    'within a second %': (100 * sorted.filter((ms) => ms <= 1_000).length) / sorted.length,
  }
}
