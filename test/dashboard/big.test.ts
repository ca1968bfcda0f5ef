import type pg from 'pg'
import { describe, expect } from 'vitest'
import { openEngine } from '../../src/engine/verbs.ts'
import { test } from '../support/engine.ts'
import { plansOf, rowsRead, type Statement, tellPlans } from '../support/plans.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Of each: far more than anything on a page may read. */
const many = 60_000
/** Where counts of what waits stop. */
const cap = 10_000
const pageSize = 50
/** So many of what has ended the tabs look at; how many more there are, counters tell. */
const looked = 1_000

async function fill(engine: TestEngine): Promise<void> {
  await engine.enqueueMany([{ queue: 'mail' }])
  await engine.rows(
    `insert into tasks (run_at, created_at, queue, handler, submitted_by, payload)
     select now() + (n - $1::int / 2) * interval '1 second', now(), 'mail', 'mail', 'test', '{}'
     from generate_series(1, $1::int) as n`,
    many,
  )
  await engine.rows(
    `insert into finished (id, created_at, run_at, finished_at, keep_until, iteration, priority, version, attempt, state,
                           reason, kind, queue, handler, submitted_by, payload)
     select nextval('task_ids'), now(), now(), now(), now() + interval '7 days', 0, 0, 1, 1,
            case when n % 20 = 0 then 'failed' else 'done' end, case when n % 20 = 0 then 'error' end,
            'handler', 'mail', 'mail', 'test', '{}'
     from generate_series(1, $1::int) as n`,
    many,
  )
  await engine.rows('vacuum (analyze) tasks, finished')
}

/** What pages ask for, by the name of what they show. */
async function askAll(schema: string, client: pg.Client): Promise<Record<string, Statement[]>> {
  const verbs = openEngine({ schema })
  const asked: Record<string, () => Promise<unknown>> = {
    numbers: () => verbs.queueStats(client),
    totals: () => verbs.queueTotals(client),
    'one queue': () => verbs.queueStatsOf(client, 'mail'),
    groups: () => verbs.pageGroups(client, {}),
    charts: () => verbs.series(client, {}),
    errors: () => verbs.errorGroups(client, {}),
    tasks: () => verbs.pageTasks(client, {}, { limit: pageSize }),
    failures: () => verbs.pageTasks(client, { state: ['failed'] }, { limit: pageSize }),
    tabs: () => verbs.countStates(client, {}),
    'tabs of a queue': () => verbs.countStates(client, { queue: 'mail' }),
    pulses: () => verbs.pulses(client),
    workers: () => verbs.workers(client),
    schedules: () => verbs.schedules(client),
  }
  const plans: Record<string, Statement[]> = {}
  for (const [name, ask] of Object.entries(asked)) plans[name] = await plansOf(client, ask)
  return plans
}

function most(plans: Record<string, Statement[]>, relation: RegExp): Record<string, number> {
  return Object.fromEntries(
    Object.entries(plans).map(([name, statements]) => {
      const nodes = statements
        .flatMap((statement) => statement.nodes)
        .filter((node) => relation.test(node['Relation Name'] ?? ''))
      return [name, Math.max(0, ...nodes.map(rowsRead))]
    }),
  )
}

describe('what the dashboard asks for', () => {
  test('counts nothing that has finished, and of what waits no more than the cap', {
    timeout: 600_000,
  }, async ({ engine, connect, schema, skip }) => {
    const isSuper = await engine.value<boolean>(
      `select rolsuper from pg_roles where rolname = current_user`,
    )
    if (!isSuper) skip('auto_explain can be loaded by a superuser only')
    await fill(engine)
    const client = await connect()
    await tellPlans(client)

    const plans = await askAll(schema, client)

    const ofFinished = Object.entries(most(plans, /^finished/)).filter(
      ([name, rows]) => rows > (name.startsWith('tabs') ? looked : 2 * pageSize),
    )
    const ofTasks = Object.entries(most(plans, /^tasks/)).filter(([, rows]) => rows > cap)
    expect({ ofFinished, ofTasks }).toEqual({ ofFinished: [], ofTasks: [] })
    // Else nothing was looked at.
    expect(most(plans, /^tasks/)['numbers']).toBe(cap)
  })
})
