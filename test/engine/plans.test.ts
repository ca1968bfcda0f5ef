import type pg from 'pg'
import { describe, expect } from 'vitest'
import type { Held } from '../../src/engine/outcomes.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { faultsIn, plansOf, type Statement, tellPlans } from '../support/plans.ts'
import type { TestEngine } from '../support/test-engine.ts'

// A third of a million rows of each kind. The claim index is then three levels deep, as it is with
// ten million, and reading the backlog would show as a thousand times what a batch may read.
const many = 300_000
const batch = 100
/** A batch, what stands beside it in its pages, and the little tables of settings. */
const most = batch * 3

async function fill(engine: TestEngine): Promise<void> {
  await engine.enqueueMany([0, 5].map((priority) => ({ queue: 'mail', priority })))
  const task = `now() - interval '1 day', 'mail', 'mail', 'test', '{}'::jsonb`
  await engine.rows(
    `insert into tasks (run_at, priority, created_at, queue, handler, submitted_by, payload)
     select now() - interval '1 hour' + n * interval '1 millisecond', 0, ${task} from generate_series(1, $1::int) as n
     union all
     select now() + n * interval '1 second', 0, ${task} from generate_series(1, $1::int) as n`,
    many,
  )
  await engine.rows(
    `insert into finished (id, run_at, finished_at, keep_until, iteration, priority, version, attempt, state, kind,
                           created_at, queue, handler, submitted_by, payload)
     select nextval('task_ids'), now(), now(), now() + interval '7 days', 0, 0, 1, 1, 'done', 'handler', ${task}
     from generate_series(1, $1::int)`,
    many,
  )
}

/**
 * A queue between two rushes: pages without a row in them, and statistics that say so. A planner
 * that knows of no rows at all would rather read the table first and look for each row in the batch.
 */
async function empty(engine: TestEngine): Promise<void> {
  const tables = ['tasks', 'finished', 'claims', 'keys', 'attempts']
  await engine.enqueueMany(range(2_000).map((n) => ({ queue: 'mail', key: `e${n}` })))
  for (const table of tables) {
    await engine.rows(`delete from ${table}`)
  }
  await engine.rows(`vacuum (analyze, truncate false) ${tables.join(', ')}`)
}

/** One round of work: what each verb ran, by verb. */
async function round(engine: TestEngine, client: pg.Client): Promise<Record<string, Statement[]>> {
  const reported = engine.on(client)
  const plans: Record<string, Statement[]> = {}
  const note = async <T>(verb: string, work: () => Promise<T>): Promise<T> => {
    let answer: T | undefined
    plans[verb] = await plansOf(client, async () => {
      answer = await work()
    })
    return answer as T
  }
  const made = await note('enqueue_many', () =>
    reported.enqueueMany(
      range(batch).map((n) => ({ queue: 'mail', key: `k${n}-${Math.random()}` })),
    ),
  )
  const tasks = await note('claim', () => reported.claim('mail', { limit: batch }))
  expect(tasks).toHaveLength(batch)
  const [first, second, third, ...others] = tasks
  const [noted, failing, lost, ended] = [0, 20, 40, 60].map((n) => others.slice(n, n + 20))
  const each = (held: readonly Held[] = []) => [
    held.map(({ id }) => id),
    held.map(({ claim }) => claim),
  ]
  await note('log', () => reported.rows(`select log($1, $2, '{info}', '{hello}')`, ...each(noted)))
  await note('heartbeat', () =>
    reported.rows(`select heartbeat('planner', $1, $2, $1)`, ...each(noted)),
  )
  await note('fail_many', () =>
    reported.rows(
      `select fail_many($1, $2, p_delays => array_fill(interval '1 hour', array[20]))`,
      ...each(failing),
    ),
  )
  await note('complete_many', () => reported.completeMany(ended ?? []))
  await note('complete_many with keys', () =>
    reported.completeMany((noted ?? []).concat(others.slice(80))),
  )
  await note('delete_many', () =>
    reported.rows(
      'select delete_many($1)',
      lost?.slice(0, 5).map(({ id }) => id),
    ),
  )
  if (first) await note('fail', () => reported.fail(first, null, { delay: '1 hour' }))
  if (second) await note('release', () => reported.release([second]))
  if (third) await note('cancel', () => reported.cancel(third.id))
  await note('retry', () => reported.retry(third?.id ?? ''))
  await note('move', () => reported.move(made[0]?.id ?? '', new Date(Date.now() + 3_600_000)))
  const page = (filter: string) => reported.rows('select page_tasks($1)', filter)
  await note('page_tasks', () => page('{}'))
  await note('page_tasks of failures', () => page('{"states": ["failed"]}'))
  await note('page_tasks of a key', () => page('{"key": "k0"}'))
  await note('trace_key', () => reported.rows(`select trace_key('k0')`))
  await note('repair_limits', () => reported.rows('select repair_limits()'))
  await reported.rows(`update claims set expires_at = now() - interval '1 minute'`)
  await note('rescue_queue', () => reported.rows(`select rescue_queue('mail', 5)`))
  await note('rescue', () => reported.rescue())
  await note('expire', () => reported.expire())
  return plans
}

const faultsByVerb = (plans: Record<string, Statement[]>) =>
  Object.entries(plans).flatMap(([verb, statements]) =>
    faultsIn(statements, most).map((fault) => `${verb}: ${fault}`),
  )

describe('the verbs among a million rows', () => {
  test('read by index, and no more than their batch, whatever was known when they were planned', {
    timeout: 600_000,
  }, async ({ engine, connect, skip }) => {
    const isSuper = await engine.value<boolean>(
      `select rolsuper from pg_roles where rolname = current_user`,
    )
    if (!isSuper) skip('auto_explain can be loaded by a superuser only')
    // Statistics of the empty tables, and a session that planned everything on them.
    await engine.rows('analyze tasks, finished, claims, keys')
    await engine.rows(`select register_worker('planner', '{mail}', 1, 'here', 1, '1')`)
    const early = await connect()
    await tellPlans(early)
    await engine.on(early).enqueueMany(range(batch).map(() => ({ queue: 'mail' })))
    await round(engine, early)
    const emptied = await connect()
    await tellPlans(emptied)
    await empty(engine)
    await engine.on(emptied).enqueueMany(range(batch).map(() => ({ queue: 'mail' })))
    await round(engine, emptied)

    await fill(engine)
    const misled = await connect()
    await tellPlans(misled)
    const planned = {
      early: faultsByVerb(await round(engine, early)),
      emptied: faultsByVerb(await round(engine, emptied)),
      misled: faultsByVerb(await round(engine, misled)),
    }
    await engine.rows('analyze tasks, finished')
    const late = await connect()
    await tellPlans(late)

    expect(planned).toEqual({ early: [], emptied: [], misled: [] })
    const plans = await round(engine, late)
    expect(faultsByVerb(plans)).toEqual([])
    expect(Object.keys(plans)).toHaveLength(21)
    expect(plans['claim']).toSatisfy((statements: Statement[]) =>
      statements.some(({ nodes }) => nodes.some(isClaimIndex)),
    )
  })
})

const isClaimIndex = (node: Statement['nodes'][number]) => node['Index Name'] === 'tasks_to_claim'
