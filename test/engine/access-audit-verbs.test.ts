import type pg from 'pg'
import { describe, expect } from 'vitest'
import { callingAs } from '../../src/engine/calling-as.ts'
import { test, testRoles } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** What is needed to call each verb that changes something for people; the answer is what to call. */
const calls: Readonly<Record<string, (engine: TestEngine) => Promise<string> | string>> = {
  cancel: async (engine) => `select cancel(${(await engine.inState('queued')).id})`,
  cancel_many: async (engine) => `select cancel_many('{${(await engine.inState('queued')).id}}')`,
  kill_running: async (engine) => `select kill_running(${(await engine.running()).id})`,
  retry: async (engine) => `select retry(${(await engine.inState('failed')).id})`,
  move: async (engine) => `select move(${(await engine.inState('queued')).id}, '2100-01-01')`,
  amend: async (engine) =>
    `select amend(${(await engine.inState('queued')).id}, '{"priority": 5}')`,
  delete: async (engine) => `select delete(${(await engine.inState('done')).id})`,
  delete_many: async (engine) => `select delete_many('{${(await engine.inState('done')).id}}')`,
  pause: () => `select enqueue('mail'), pause('mail')`,
  resume: () => `select enqueue('mail'), pause('mail'), resume('mail')`,
  pause_group: () => `select pause_group('g')`,
  resume_group: () => `select resume_group('g')`,
  set_queue: () => `select set_queue('mail', '{"max_running": 3}')`,
  create_document_index: () => `select create_document_index('mail')`,
  drop_document_index: async (engine) => {
    await engine.rows(`select create_document_index('mail')`)
    return `select drop_document_index('mail')`
  },
  set_group: () => `select set_group('g', '{"max_running": 3}')`,
  drain_worker: async (engine) => {
    await engine.rows(`select register_worker('w', '{mail}', 1, 'host', 1, '1')`)
    return `select drain_worker('w')`
  },
  resign: async (engine) => {
    await engine.rows(
      `select register_chores('w', '[{"name": "sweep", "every": "1 minute", "timeout": "1 minute", "ttl": "10 seconds"}]')`,
    )
    return `select resign('sweep')`
  },
  set_schedule: () => `select set_schedule('s', '{"every": "1 day", "task": {"queue": "mail"}}')`,
  apply_schedules: () =>
    `select apply_schedules('{"s": {"every": "1 day", "task": {"queue": "mail"}}}')`,
  delete_schedule: async (engine) => planned(engine, `select delete_schedule('s')`),
  pause_schedule: async (engine) => planned(engine, `select pause_schedule('s')`),
  resume_schedule: async (engine) => {
    await planned(engine, '')
    await engine.pauseSchedule('s')
    return `select resume_schedule('s')`
  },
  run_schedule: async (engine) => planned(engine, `select run_schedule('s')`),
  backfill: async (engine) =>
    planned(engine, `select backfill('s', now() - interval '1 hour', now())`),
  set_trigger: () =>
    `select set_trigger('queues', 't', '{"on": ["insert"], "kind": "document", "queue": "mail"}')`,
  set_statement: () => `select set_statement('st', '{"sql": "select 1"}')`,
  set_connection: () => `select set_connection('c', '{"host": "a", "secret": {"env": "A"}}')`,
  set_push: () =>
    `select set_push('mail', '{"url": "https://example.org/", "secrets": [{"env": "A"}]}')`,
  allow_sql: () => `select allow_sql(current_user::text)`,
  forbid_sql: () => `select forbid_sql(current_user::text)`,
  start_operation: () => `select start_operation('cancel', '{}')`,
  cancel_operation: async (engine) =>
    `select cancel_operation(${await engine.startOperation('cancel', {})})`,
  create_token: () => `select create_token('t', 'abcd1234', sha256(''), '{read}')`,
  revoke_token: async (engine) => {
    await engine.rows(`select create_token('t', 'abcd1234', sha256(''), '{read}')`)
    return `select revoke_token(1)`
  },
  grant_queue: () => `select grant_queue('mail', current_user, '{enqueue}')`,
  revoke_queue: () =>
    `select grant_queue('mail', current_user, '{enqueue}'), revoke_queue('mail', current_user)`,
  open_queue: () => `select grant_queue('mail', current_user, '{enqueue}'), open_queue('mail')`,
}

/** Verbs that write something that no person did, or are volatile only because they read the clock. */
const others = new Set([
  'find_token',
  'open_session',
  'find_session',
  'close_session',
  'begin_request',
  'end_request',
  'advance_operation',
  'claim_secret',
  'follow',
  'lock_for_edit',
  'preview_schedule',
  'read_events',
  'series',
])

async function planned(engine: TestEngine, statement: string): Promise<string> {
  await engine.setSchedule('s', { every: '1 day', task: { queue: 'mail' } })
  return statement
}

describe('every verb of operators and admins that changes something', () => {
  test('is known to this test', async ({ engine }) => {
    const verbs = await engine.rows<{ name: string }>(
      `select distinct proname as name
       from pg_proc, aclexplode(proacl)
       where pronamespace = current_schema()::regnamespace and provolatile = 'v'
         and grantee::regrole::text in ($1 || '_operator', $1 || '_admin')`,
      testRoles,
    )

    const changing = verbs.map(({ name }) => name).filter((name) => !others.has(name))
    expect(new Set(changing)).toEqual(new Set(Object.keys(calls)))
  })

  test.for(Object.entries(calls))('writes a row: %s', async ([, prepare], { engine, db }) => {
    const statement = await prepare(engine)
    expect(await engine.auditEntries({})).toEqual([])

    await callingAs(db, { actor: 'ada' }, (on) => engine.on(on).rows(statement))

    const written = await engine.auditEntries({})
    expect(written.length).toBeGreaterThan(0)
    expect(written.every(({ actor }) => actor === 'ada')).toBe(true)
    await leaveNothing(db)
  })
})

/** What emptying a schema leaves behind: a trigger on a table. */
async function leaveNothing(db: pg.Pool): Promise<void> {
  await db.query('drop trigger if exists tusk_t on queues')
}
