import pg from 'pg'
import { expect } from 'vitest'
import { testRoles } from '../support/engine.ts'
import { furnish, sensible } from '../support/furnished.ts'
import { test } from '../support/http.ts'
import { oddCallsOf, type Verb, verbsOf } from '../support/odd-calls.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** A task that was claimed for the call alone: most verbs of a worker put an end to it. */
const fresh = {
  ...sensible,
  p_id: `(select max(id) from tasks where queue = 'odd')`,
  p_claim: `(select max(claim) from tasks where queue = 'odd')`,
  p_ids: `array(select max(id) from tasks where queue = 'odd')`,
  p_claims: `array(select max(claim) from tasks where queue = 'odd')`,
  p_messages: `array['line']`,
  p_levels: `array['info']`,
  'report_sql(p_pids)': 'array[1]',
}

/** Verbs with which producers and workers store what they like. */
const storing =
  /^(enqueue|claim|complete|fail|reject|kill|reschedule|progress|log|heartbeat|register_worker|report_chores|report_sql)$/
const ofTasks = /^(complete|fail|reject|kill|reschedule|progress|log|report_sql)$/

const beyondYears =
  /200: data\/[\w/]*\/(oldest_due_at|run_at|deadline) must match format "date-time" in/

const lists = [
  ...['/tasks?limit=100', '/tasks?limit=100&state=running', '/tasks?limit=100&state=failed'],
  ...['/queues', '/groups', '/workers', '/chores', '/leaders', '/errors', '/stats'],
  ...['/stats/series', '/stats/pulses', '/metrics'],
]

/** Makes the calls of a verb; answers how many were accepted. */
async function storeOddly(engine: TestEngine, db: pg.Pool, verb: Verb): Promise<number> {
  let stored = 0
  for (const call of oddCallsOf(verb, fresh)) {
    if (ofTasks.test(verb.name)) await engine.rows(`select enqueue('odd'), claim('odd')`)
    await db.query(call.text).then(
      () => stored++,
      () => undefined,
    )
  }
  return stored
}

test('shows whatever producers and workers can store, in every view and list', {
  timeout: 900_000,
}, async ({ engine, db, ask, schema }) => {
  await furnish(engine)
  let stored = 0
  for (const role of ['producer', 'worker']) {
    const verbs = await verbsOf(db, `${testRoles}_${role}`)
    for (const verb of verbs.filter(({ name }) => storing.test(name))) {
      stored += await storeOddly(engine, db, verb)
    }
  }
  expect(stored).toBeGreaterThan(200)

  const failed: string[] = []
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch(({ message }: Error) => {
      // Years beyond 9999 are written as JavaScript writes them, which the document does not describe.
      if (!beyondYears.test(message)) failed.push(`${what}: ${message}`)
    })
  }
  const { rows: views } = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = 'v'`,
    [pg.escapeIdentifier(schema)],
  )
  for (const { name } of views) {
    await attempt(name, () => db.query(`select sum(length(row::text)) from ${name} as row`))
  }
  for (const chore of ['rescue', 'expire', 'fire', 'sweep', 'roll_up', 'repair_limits']) {
    await attempt(chore, () => db.query('select run_chore($1)', [chore]))
  }
  for (const path of lists) {
    await attempt(path, async () => expect((await ask.get(path)).status).toBeLessThan(500))
  }
  expect(failed).toEqual([])
})
