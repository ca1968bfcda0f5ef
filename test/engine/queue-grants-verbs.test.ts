import { describe, expect } from 'vitest'
import { durableVerbs } from '../support/durable.ts'
import { testRoles } from '../support/engine.ts'
import { type Held, refused, type Statement } from '../support/grant-cases.ts'
import { test as base, makeRole } from '../support/roles.ts'
import type { TestEngine } from '../support/test-engine.ts'

const outsider = 'grants_outsider'
const insider = 'grants_insider'

/** Verbs that show only what the caller may see: each statement counts what it shows. */
const hidden: Readonly<Record<string, Statement>> = {
  read_claim: ({ claim }) => `select count(*) from read_claim(${claim})`,
  page_tasks: () => `select cardinality(ids) from page_tasks('{"queue": "closed"}')`,
  count_tasks: () => `select count from count_tasks()`,
  count_states: () => `select sum(count) from count_states()`,
  count_operation: () => `select count from count_operation('delete', '{}')`,
  pulses: () => `select count(*) from pulses() where queue = 'closed'`,
  read_events: () => `select count(*) from read_events()`,
  trace_key: () => `select count(*) from trace_key('a key')`,
  watch: ({ finished }) => `select count(*) from watch(${finished}, null)`,
}

/** Views that do the same. */
const hiddenViews: Readonly<Record<string, string>> = {
  task: 'select count(*) from task',
  attempt: 'select count(*) from attempt',
  task_log: 'select count(*) from task_log',
  step: 'select count(*) from step',
  pending_signal: 'select count(*) from pending_signal',
  awaited_signal: 'select count(*) from awaited_signal',
  awaited_task: 'select count(*) from awaited_task',
  error_group: 'select count(*) from error_group',
  schedule: 'select count(*) from schedule',
  running_sql: 'select count(*) from running_sql',
  operation: 'select count(*) from operation',
}

/** Why grants do not concern these. */
const exempt: Readonly<Record<string, string>> = {
  start_operation: 'acts on tasks that its caller may see, and on no others',
  explain_queues: 'tells of queues that its caller may operate, and of no others',
  read_push: 'tells of queues that its caller may consume, and of no others',
  rows_of: 'tells which tasks share a row, and nothing else',
  preview_schedule: 'of settings: speaks of no schedule that there is',
  normalize_schedule: 'speaks of settings',
  ...chores(
    'rescue',
    'rescue_queue',
    'next_rescue',
    'expire',
    'sweep',
    'roll_up',
    'repair_limits',
    'fire',
    'run_chore',
  ),
  ...chores(
    'register_chores',
    'lead_chores',
    'release_chores',
    'report_chores',
    'lock_chore',
    'unlock_chore',
    'fence',
  ),
  ...chores('resign', 'worn_tables', 'forget_workers', 'drain_worker', 'wake', 'lost_holders'),
  ...procedureParts('step', 'delay', 'await', 'begin_procedure', 'end_procedure', 'begin_call'),
  ...procedureParts('end_call', 'find_step', 'keep_step', 'begin_wait'),
  run_effect: 'runs SQL as its caller, who could as well send it',
  follow: 'turns events on for all',
  hide_password: 'computes',
  output_as_text: 'computes',
  read_statement: 'statements have grants of their own',
  read_connection: 'connections have grants of their own',
  ...doors('find_token', 'has_tokens', 'claim_secret', 'begin_request', 'end_request'),
  ...doors('open_session', 'find_session', 'close_session'),
}

/** Names, numbers and settings, which every operator may see. */
const openViews = [
  ...['chore_alert', 'chore_stats', 'leader', 'worker', 'group_stats', 'occurrence'],
  ...[
    'queue',
    'queue_stats',
    'queue_total',
    'sql_connection',
    'sql_role',
    'sql_statement',
    'own_task',
    'push',
  ],
]

const test = base.extend<{ held: Held }>({
  held: async ({ engine, db, as }, use) => {
    await makeRole(db, outsider, 'operator')
    await makeRole(db, insider, 'operator')
    await db.query(`create table if not exists grants_rows (id int)`)
    await db.query(`create or replace procedure grants_procedure() language sql as ''`)
    await db.query(`grant trigger on grants_rows to ${outsider}, ${insider}`)
    await engine.rows(`select set_statement('one', '{"sql": "select 1", "granted_to": ["*"]}')`)
    for (const role of [outsider, insider]) await engine.rows(`select allow_sql('${role}')`)
    await engine.rows(`select set_queue('closed', '{"records_events": true}')`)
    await engine.setSchedule('s', { task: { queue: 'closed' }, every: '1 hour' })
    const failed = await engine.running({ queue: 'closed', key: 'a key' })
    await engine.rows(`select fail(${failed.id}, ${failed.claim}, p_retry => false)`)
    await engine.complete(await engine.running({ queue: 'closed' }))
    const running = await engine.running({
      queue: 'closed',
      kind: 'sql',
      payload: { sql: 'select 1' },
    })
    await engine.rows(`select log('{${running.id}}', '{${running.claim}}', '{info}', '{hello}')`)
    const card = { id: 'w1', queues: ['open'], slots: 1, host: 'h', pid: 1, version: '0' }
    await engine.registerWorker(card)
    const asleep = await engine.running({ queue: 'closed' })
    await durableVerbs(engine).suspend(asleep, { kind: 'signal', name: 'go' })
    const { id: queued } = await engine.enqueue({ queue: 'closed', groups: ['closed:g'] })
    await engine.saveSteps([
      {
        ...{ id: running.id, claim: running.claim, name: 'charge', output: '1', error: null },
        ...{ state: 'done', kind: 'step', startedAt: new Date() },
      },
    ])
    await engine.signal(running.id, 'paid', '1')
    await engine.enqueue({ queue: 'closed', after: [running.id] })
    await engine.rows('select roll_up()')
    await engine.rows(`select grant_queue('closed*', '${insider}', '{operate}')`)
    const operation = await (await as(insider)).value<string>(
      `select start_operation('move', '{"queue": "closed"}', '{"run_at": "2030-01-01"}')`,
    )
    await use({ queued, running: running.id, claim: running.claim, finished: failed.id, operation })
    await db.query('drop table grants_rows cascade')
    await db.query('drop procedure grants_procedure()')
  },
})

describe('a role without a grant', () => {
  test.for(Object.entries(refused))(
    'is refused %s, and one with it is not',
    async ([, statements], { held, as }) => {
      for (const statement of statements) {
        expect(await codeOf(await as(outsider), statement(held))).toBe('not_permitted')
        expect(await codeOf(await as(insider), statement(held))).toBe('done')
      }
    },
  )

  test.for([...Object.entries(hidden), ...Object.entries(hiddenViews)])(
    'sees nothing in %s, and one with it does',
    async ([name, statement], { held, as }) => {
      const text = typeof statement === 'string' ? statement : statement(held)
      if (name === 'watch') {
        await expect((await as(outsider)).rows(text)).rejects.toMatchObject({
          code: 'task_not_found',
        })
      } else {
        expect(Number(await (await as(outsider)).value(text))).toBe(0)
      }
      expect(Number(await (await as(insider)).value(text))).toBeGreaterThan(0)
    },
  )

  test('finds no verb and no view that this test forgot', async ({ db }) => {
    const { rows } = await db.query<{ name: string; overloads: number }>(`
      select proname as name, count(*)::int as overloads from pg_proc
      where pronamespace = current_schema()::regnamespace
        and has_function_privilege('${testRoles}_operator', oid, 'execute')
      group by proname`)
    const known = new Set([...Object.keys(refused), ...Object.keys(hidden), ...Object.keys(exempt)])
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
    for (const [name, statements] of Object.entries(refused)) {
      const overloads = rows.find((row) => row.name === name)?.overloads
      expect([name, overloads]).toEqual([name, statements.length + (name in exempt ? 1 : 0)])
    }

    const { rows: views } = await db.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'v'
        and has_table_privilege('${testRoles}_operator', oid, 'select')`)
    expect(views.map(({ name }) => name).sort()).toEqual(
      [...Object.keys(hiddenViews), ...openViews].sort(),
    )
  })
})

/** `done`, or the code of the refusal; whatever it did is undone. */
async function codeOf(engine: TestEngine, statement: string): Promise<unknown> {
  await engine.rows('begin')
  try {
    await engine.rows(statement)
    return 'done'
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    return code === 'not_permitted' ? code : `${code}: ${message}`
  } finally {
    await engine.rows('rollback')
  }
}

function procedureParts(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, 'speaks for the task whose worker opened the session, by a token']),
  )
}

function chores(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, 'housekeeping for all queues, or about workers']),
  )
}

function doors(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, 'about tokens and requests']))
}
