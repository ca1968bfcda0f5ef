import { describe, expect } from 'vitest'
import { testRoles } from '../support/engine.ts'
import { test as base, makeRole } from '../support/roles.ts'
import type { TestEngine } from '../support/test-engine.ts'

const outsider = 'grants_outsider'
const insider = 'grants_insider'

/** What the statements below speak of: all of it lies in the queue `closed`. */
interface Held {
  readonly queued: string
  readonly running: string
  readonly claim: string
  readonly finished: string
  readonly operation: string
}

type Statement = (held: Held) => string

const plan = `'{"task": {"queue": "closed"}, "every": "1 hour"}'`

/** Verbs that name a queue, group, schedule or task: one statement per overload. */
const refused: Readonly<Record<string, readonly Statement[]>> = {
  enqueue: [() => `select enqueue('closed')`],
  enqueue_many: [
    () => `select enqueue_many('{open,closed}', array['{}', '{}']::jsonb[])`,
    () => `select enqueue_many('[{"queue": "open"}, {"queue": "closed"}]')`,
  ],
  sql: [() => `select sql('select 1', 'closed')`],
  statement: [() => `select statement('one', p_queue => 'closed')`],
  claim: [() => `select claim('closed')`],
  claim_queues: [() => `select claim_queues('{open,closed}')`],
  claim_fitting: [() => `select claim_fitting('closed', 10, 1000)`],
  extend: [({ claim }) => `select extend('{${claim}}')`],
  heartbeat: [({ running, claim }) => `select heartbeat('w1', '{${running}}', '{${claim}}')`],
  progress: [({ running, claim }) => `select progress(${running}, ${claim}, '1')`],
  log: [({ running, claim }) => `select log('{${running}}', '{${claim}}', '{info}', '{hello}')`],
  save_steps: [
    ({ running, claim }) => `select save_steps('{${running}}', '{${claim}}', '{charge}')`,
  ],
  read_steps: [({ running, claim }) => `select read_steps(${running}, ${claim})`],
  spawn: [
    ({ running, claim }) => `select spawn(${running}, ${claim}, '{a}', '[{"queue": "open"}]')`,
  ],
  suspend: [
    ({ running, claim }) =>
      `select suspend(${running}, ${claim}, '[{"kind": "signal", "name": "paid"}]')`,
  ],
  write_chunks: [({ running, claim }) => `select write_chunks(${running}, ${claim}, '{1}')`],
  signal: [
    ({ queued }) => `select signal(${queued}, 'paid')`,
    () => `select signal('closed', 'key', 'paid')`,
  ],
  enqueue_batch: [() => `select enqueue_batch('[{"queue": "closed"}]', '{"queue": "open"}')`],
  complete: [({ running, claim }) => `select complete(${running}, ${claim})`],
  complete_packs: [
    ({ running, claim }) => `select complete_packs('{${running}}', '{1}', '{${claim}}')`,
  ],
  complete_many: [({ running, claim }) => `select complete_many('{${running}}', '{${claim}}')`],
  fail: [({ running, claim }) => `select fail(${running}, ${claim})`],
  fail_many: [({ running, claim }) => `select fail_many('{${running}}', '{${claim}}')`],
  reject: [({ running, claim }) => `select reject(${running}, ${claim})`],
  kill: [({ running, claim }) => `select kill(${running}, ${claim})`],
  reschedule: [({ running, claim }) => `select reschedule(${running}, ${claim}, now())`],
  release: [({ running, claim }) => `select release('{${running}}', '{${claim}}')`],
  report_sql: [
    ({ running, claim }) => `select report_sql('{${running}}', '{${claim}}', '{1}', '{null}')`,
  ],
  sleep: [() => `select sleep('w1', '{closed}')`],
  next_due: [() => `select next_due('{open,closed}')`],
  register_worker: [() => `select register_worker('w2', '{open,closed}', 1, 'h', 1, '0')`],
  explain: [({ queued }) => `select explain(${queued})`],
  cancel: [({ queued }) => `select cancel(${queued})`],
  cancel_many: [({ queued }) => `select cancel_many('{${queued}}')`],
  kill_running: [({ running }) => `select kill_running(${running})`],
  read_chunks: [({ finished }) => `select read_chunks(${finished})`],
  read_family: [({ finished }) => `select read_family(${finished})`],
  retry: [({ finished }) => `select retry(${finished})`],
  move: [({ queued }) => `select move(${queued}, now())`],
  amend: [({ queued }) => `select amend(${queued}, '{"priority": 3}')`],
  delete: [({ finished }) => `select delete(${finished})`],
  delete_many: [({ queued, finished }) => `select delete_many('{${queued},${finished}}')`],
  pause: [() => `select pause('closed')`],
  resume: [() => `select resume('closed')`],
  set_queue: [() => `select set_queue('closed', '{"max_attempts": 2}')`],
  pause_group: [() => `select pause_group('closed:g')`],
  resume_group: [() => `select resume_group('closed:g')`],
  set_group: [() => `select set_group('closed:g', '{"max_running": 2}')`],
  lock_for_edit: [({ queued }) => `select lock_for_edit('task', '${queued}')`],
  series: [() => `select series('closed')`],
  handler_stats: [() => `select handler_stats(p_queue => 'closed')`],
  read_settings: [() => `select read_settings('closed')`],
  set_schedule: [() => `select set_schedule('other', ${plan})`],
  apply_schedules: [
    () => `select apply_schedules('{"other": {"task": {"queue": "closed"}, "every": "1 hour"}}')`,
  ],
  delete_schedule: [() => `select delete_schedule('s')`],
  pause_schedule: [() => `select pause_schedule('s')`],
  resume_schedule: [() => `select resume_schedule('s')`],
  run_schedule: [() => `select run_schedule('s')`],
  backfill: [() => `select backfill('s', now() - interval '1 hour', now())`],
  preview_schedule: [() => `select preview_schedule('s'::text)`],
  set_trigger: [
    () =>
      `select set_trigger('grants_rows', 'on_grants', '{"on": ["insert"], "handler": "h", "queue": "closed"}')`,
  ],
  advance_operation: [({ operation }) => `select advance_operation(${operation})`],
  cancel_operation: [({ operation }) => `select cancel_operation(${operation})`],
}

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

  test('is told of no verb and no view that this test forgot', async ({ db }) => {
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

function chores(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, 'housekeeping for all queues, or about workers']),
  )
}

function doors(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, 'about tokens and requests']))
}
