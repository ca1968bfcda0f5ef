import { describe, expect, inject } from 'vitest'
import type { TestEngine } from '../../support/test-engine.ts'
import { until } from '../../support/until.ts'
import { type TaskTable, test } from './support.ts'

describe('a running task', () => {
  test('knows its id, group, table and name', async ({ table, run }) => {
    const { id, output } = await run({
      group: 'some group',
      header: false,
      input: `select current_setting('pg_task.id'), current_setting('pg_task.group'), current_setting('pg_task.schema'),
        current_setting('pg_task.table'), current_setting('pg_task.oid')::oid::regclass, current_setting('application_name')`,
    })

    expect(output?.split('\t')).toEqual([
      ...[id, 'some group', table.schema, 'task', `${table.schema}.task`],
      `pg_task ${table.schema} task some group`.slice(0, 63),
    ])
  })

  test('shows its backend, which may be cancelled by hand', async ({ table, serve }) => {
    await serve()
    const id = await table.insert({ input: 'select 1; select pg_sleep(60)' })
    const { pid } = await table.when(id, 'WORK')
    // A cancel that arrives before the statement has begun cancels nothing.
    const begun = `select from pg_stat_activity where pid = $1 and state = 'active' and query like '%pg_sleep%'`
    await until(async () => (await table.rows(begun, pid)).length === 1)

    await table.rows('select pg_cancel_backend($1)', pid)

    expect(await table.when(id, 'FAIL')).toMatchObject({
      output: '1',
      error: expect.stringMatching(/^ERROR: {2}canceling statement due to user request\n/),
    })
  })

  test('is cancelled when its row is stopped or deleted', async ({ table, serve }) => {
    await serve()
    const stopped = await table.insert({ input: 'select pg_sleep(60)', group: 'a' })
    const deleted = await table.insert({ input: 'select pg_sleep(60)', group: 'b' })
    const pids = [(await table.when(stopped, 'WORK')).pid, (await table.when(deleted, 'WORK')).pid]

    await table.rows(`update task set state = 'STOP' where id = $1`, stopped)
    await table.rows('delete from task where id = $1', deleted)

    const busy = `select from pg_stat_activity where pid = any ($1) and state = 'active'`
    await until(async () => (await table.rows(busy, pids)).length === 0)
    expect(await table.row(stopped)).toMatchObject({ state: 'STOP', stop: expect.any(Date) })
  })

  test('ends after its timeout, to the millisecond and as a whole', async ({ run }) => {
    const row = await run({ timeout: '300 ms', input: 'select pg_sleep(0.2); select pg_sleep(60)' })

    expect(row).toMatchObject({
      state: 'FAIL',
      error: expect.stringMatching(/^ERROR: {2}canceling statement due to statement timeout\n/),
    })
  })

  test('has the search path of its role, not that of the role that inserted it', async ({
    run,
  }) => {
    expect(await run({ input: 'show search_path' })).toMatchObject({ output: '"$user", public' })
  })
})

describe('sessions', () => {
  test('keep what a task left behind for the next of its group, with save', async ({ run }) => {
    const kept = { count: 10, save: true }
    await run({ ...kept, group: 'a', input: 'create temp table kept as select 7 as n' })

    const same = await run({ ...kept, group: 'a', input: 'select n from kept' })
    const other = await run({ ...kept, group: 'b', input: 'select n from kept' })

    expect(same).toMatchObject({ state: 'DONE', output: '7' })
    expect(other).toMatchObject({ state: 'FAIL' })
  })

  test('are kept by save also after an error, and after a timeout', async ({ run }) => {
    const kept = { count: 10, save: true, group: 'c' }
    await run({ ...kept, input: 'create temp table kept as select 7 as n' })

    const failed = await run({ ...kept, input: 'select n / 0 from kept' })
    const late = await run({ ...kept, timeout: '100 ms', input: 'select pg_sleep(60) from kept' })

    expect(failed).toMatchObject({ state: 'FAIL' })
    expect(late).toMatchObject({
      state: 'FAIL',
      error: expect.stringContaining('canceling statement due to statement timeout'),
    })
    expect(await run({ ...kept, input: 'select n from kept' })).toMatchObject({ output: '7' })
  })

  test('serve count tasks and no more', async ({ run }) => {
    const pids = [
      await run({ count: 2, save: true, input: 'select pg_backend_pid()' }),
      await run({ count: 2, save: true, input: 'select pg_backend_pid()' }),
      await run({ count: 2, save: true, input: 'select pg_backend_pid()' }),
    ].map(({ output }) => output)

    expect(pids[0]).toBe(pids[1])
    expect(pids[2]).not.toBe(pids[1])
  })

  test('are clean for every task without save', async ({ run }) => {
    await run({
      input: `set work_mem = '77MB'; create temp table leftover (); select pg_advisory_lock(7)`,
    })

    const row = await run({
      header: false,
      input: `select current_setting('work_mem'), to_regclass('leftover'), (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())`,
    })

    expect(row.output).toMatch(/^(?!77MB)\S+\t\\N\t0$/)
  })
})

describe('waking', () => {
  /** Runs a task, and waits until the worker sleeps after it. */
  async function runAndSleep(table: TaskTable, engine: TestEngine): Promise<void> {
    await table.when(await table.insert({ input: 'select 0', group: 'other' }), 'DONE')
    await until(() => engine.value('select exists (select from sleepers)'))
  }

  test('loses no task whose transaction stayed open long', async ({
    table,
    engine,
    serve,
    connect,
  }) => {
    await serve({ pollMs: 600_000 })
    await runAndSleep(table, engine)
    const client = await connect()
    await client.query('begin')
    const { rows } = await client.query<{ id: string }>(
      `insert into ${table.schema}.task (input) values ('select 2') returning id`,
    )
    await runAndSleep(table, engine)

    await client.query('commit')

    expect(await table.when(rows[0]?.id ?? '', 'DONE')).toMatchObject({ output: '2' })
  })

  test('begins a task at once that is set from STOP to PLAN', async ({ table, engine, serve }) => {
    const id = await table.insert({ input: 'select 1', state: 'STOP' })
    await serve({ pollMs: 600_000 })
    await runAndSleep(table, engine)

    await table.rows(`update task set state = 'PLAN' where id = $1`, id)

    expect(await table.when(id, 'DONE')).toMatchObject({ output: '1' })
  })

  test('begins a task at its plan', async ({ table, engine, serve }) => {
    await serve({ pollMs: 600_000 })
    await runAndSleep(table, engine)

    const id = await table.insert({ input: 'select 1', plan: new Date(Date.now() + 700) })

    const { plan, start } = await table.when(id, 'DONE')
    expect(start?.getTime()).toBeGreaterThanOrEqual(plan.getTime())
  })
})

describe('remote', () => {
  test('runs elsewhere, and shows no password', async ({ table, run, db }) => {
    const url = new URL(inject('pgUrl'))
    url.password ||= 'unused'
    const { id, ...row } = await run({
      remote: url.href,
      header: false,
      input: `select current_setting('application_name'), current_setting('pg_task.group')`,
    })

    expect(row).toMatchObject({
      state: 'DONE',
      output: `${`pg_task ${table.schema} task group`.slice(0, 63)}\tgroup`,
      remote: expect.stringContaining(':***@'),
      pid: expect.any(Number),
    })
    const { rows } = await db.query('select * from groups')
    expect(JSON.stringify([row, rows])).not.toContain(url.password)
    await table.rows(`update task set state = 'PLAN' where id = $1`, id)
    expect(await table.when(id, 'DONE')).toMatchObject({ state: 'DONE' })
  })

  test.for([
    [
      'nonsense',
      'ERROR:  PQconninfoParse failed\nDETAIL:  missing "=" after "nonsense" in connection info string',
    ],
    ['nope=1', 'ERROR:  PQconninfoParse failed\nDETAIL:  invalid connection option "nope"'],
    ['host=127.0.0.1 port=1 password=secret', 'ERROR:  PQconnectPoll failed\nDETAIL:  '],
    [
      ' postgres://CORP/u:secret@h/d',
      'ERROR:  PQconninfoParse failed\nDETAIL:  missing "=" after "',
    ],
    ['postgresql+psycopg://u:secret@h/d', 'ERROR:  PQconninfoParse failed\nDETAIL:  missing "='],
  ] as const)('fails clearly for %s', async ([remote, text], { run }) => {
    const { state, error, remote: shown } = await run({ remote, input: 'select 1' })

    expect({ state, error: error?.slice(0, text.length) }).toEqual({ state: 'FAIL', error: text })
    expect(`${error} ${shown}`).not.toContain('secret')
  })

  test.for([
    ['host=h password=secret user=u', 'host=h password=*** user=u'],
    [`password = 'se cr\\'et' host=h`, 'password = *** host=h'],
    ['sslpassword=secret', 'sslpassword=***'],
    ['postgres://u:se:cr@et@h/d?x=1', 'postgres://u:***@h/d?x=1'],
    ['postgresql://h/d?user=u&password=secret&x=1', 'postgresql://h/d?user=u&password=***&x=1'],
    // Written down wrongly; none of these can be read, but all are shown.
    [' postgres://u:secret@h/d', ' postgres://u:***@h/d'],
    ['postgres://CORP/u:secret@h/d', 'postgres://CORP/u:***@h/d'],
    ['jdbc:postgresql://u:secret@h/d', 'jdbc:postgresql://u:***@h/d'],
    ['Postgres://u:secret@h/d', 'Postgres://u:***@h/d'],
    ['postgresql+psycopg://u:secret@h/d', 'postgresql+psycopg://u:***@h/d'],
    ['host=h dbname=postgres://u:secret@h/d', 'host=h dbname=postgres://u:***@h/d'],
  ] as const)('shows %s as %s', async ([remote, shown], { table }) => {
    const [row] = await table.rows(
      `insert into task (input, remote, plan) values ('x', $1, now() + '1 hour'::interval) returning *`,
      remote,
    )

    expect(row?.remote).toBe(shown)
    expect((await table.row(row?.id ?? ''))?.remote).toBe(shown)
  })

  test('is refused where no operator allowed it', async ({ table, serve }) => {
    await serve({ sql: true })

    const id = await table.insert({ remote: inject('pgUrl'), input: 'select 1' })

    expect(await table.when(id, 'FAIL')).toMatchObject({
      error: expect.stringMatching(/^ERROR: {2}/),
    })
  })
})
