import { describe, expect } from 'vitest'
import { type Caller, callingAs } from '../../src/engine/calling-as.ts'
import type { Json } from '../../src/engine/task.ts'
import { test as base, testRoles } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const ada: Caller = {
  actor: 'ada',
  door: 'http',
  token: '7',
  address: '::1',
  request: 'request 1',
}

type Work = (engine: TestEngine) => Promise<unknown>

const test = base.extend<{ asAda: (work: Work) => Promise<unknown> }>({
  asAda: async ({ db, engine }, use) =>
    use((work) => callingAs(db, ada, (on) => work(engine.on(on)))),
})

const entries = (engine: TestEngine) => engine.auditEntries({})

describe('the audit', () => {
  test('says who did what to what, by which door, and what it changed', async ({
    engine,
    asAda,
  }) => {
    await engine.setQueue('mail', { max_attempts: 3, keep_done: '1 day' })

    await asAda((on) => on.setQueue('mail', { max_attempts: 9, keep_done: '1 day', rate: null }))

    expect(await entries(engine)).toEqual([
      {
        id: '1',
        at: expect.any(Date),
        actor: 'ada',
        door: 'http',
        token: '7',
        token_name: null,
        address: '::1',
        request: 'request 1',
        login: await engine.value('select session_user'),
        action: 'set_queue',
        object: 'queue mail',
        before: { max_attempts: 3 },
        after: expect.objectContaining({ max_attempts: 9 }),
      },
    ])
  })

  test('is part of the transaction: what was undone was not done', async ({ engine, asAda }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    const undone = asAda(async (on) => {
      await on.cancel(id)
      expect(await on.rows('select from audit_entry')).toHaveLength(1)
      throw new Error('undo')
    })

    await expect(undone).rejects.toThrow('undo')
    expect(await entries(engine)).toEqual([])
    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
  })

  test('has nothing of what was refused', async ({ engine, asAda }) => {
    const { id } = await engine.inState('done')

    await expect(asAda((on) => on.cancel(id))).rejects.toMatchObject({ code: 'wrong_state' })

    expect(await entries(engine)).toEqual([])
  })

  test('costs machines nothing: without a caller there is no row', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    await engine.cancel(id)
    await engine.retry(id)
    await engine.setQueue('mail', { max_attempts: 3 })

    expect(await entries(engine)).toEqual([])
  })

  test('tells what a task was before, and what became of it', async ({ engine, asAda }) => {
    const { id } = await engine.running({ queue: 'mail', key: 'k' })

    // In SQL: the bulk verbs write one entry for all tasks of a call.
    await asAda((on) => on.rows('select cancel($1)', id))
    await asAda((on) => on.retry(id, null, { to: 'ada' }))
    await asAda((on) => on.amend(id, { priority: 5, payload: { to: 'bob' } }))
    await asAda((on) => on.rows('select delete($1)', id))

    const written = (await entries(engine)).reverse()
    expect(written).toMatchObject([
      {
        action: 'cancel',
        object: `task ${id}`,
        before: { state: 'running', queue: 'mail' },
        after: { state: 'cancelled', queue: 'mail' },
      },
      {
        action: 'retry',
        before: { state: 'cancelled' },
        after: { state: 'queued', payload: 'changed' },
      },
      { action: 'amend', before: { priority: 0 }, after: { priority: 5, payload: 'changed' } },
      { action: 'delete', before: { state: 'queued', key: 'k', queue: 'mail' }, after: null },
    ])
    expect(JSON.stringify(written)).not.toContain('bob')
  })

  test('has nothing of what the tasks of a schedule carry, only that it was changed', async ({
    engine,
    asAda,
  }) => {
    const task = { queue: 'mail', priority: 3 }
    const payload = { pin: 'hush' }
    const plan = (settings: Json) => asAda((on) => on.setSchedule('report', settings))

    await plan({ every: '1 hour', task: { ...task, payload } })
    await plan({ task: { ...task, payload: { pin: 'hush 2' } } })
    await plan({ task: { ...task, payload: { pin: 'hush 2' }, meta: { pin: 'hush' } } })
    await plan({ every: '2 hours', jitter: '1 second' })
    await asAda((on) => on.deleteSchedule('report'))

    const written = (await entries(engine)).reverse()
    expect(written).toMatchObject([
      { before: null, after: { every: '01:00:00', task } },
      { before: { task }, after: { task: { ...task, payload: 'changed' } } },
      { before: { task }, after: { task: { ...task, meta: 'changed' } } },
      { before: { every: '01:00:00' }, after: { every: '02:00:00', jitter: '00:00:01' } },
      { before: { every: '02:00:00', task }, after: null },
    ])
    expect(written[3]?.after).not.toHaveProperty('task')
    expect(JSON.stringify(written)).not.toContain('hush')
  })

  test('has nothing of what an operation puts into its tasks', async ({ engine, asAda }) => {
    const changes = { priority: 2, meta: { pin: 'hush' } }

    await asAda((on) => on.startOperation('amend', {}, { changes }))

    expect(await entries(engine)).toMatchObject([
      { after: { arguments: { changes: { priority: 2, meta: 'changed' } } } },
    ])
    expect(JSON.stringify(await entries(engine))).not.toContain('hush')
  })

  test.for([
    ['no JSON', 'ada'],
    ['no object', '["ada"]'],
    ['nobody', '{"door": "http"}'],
    ['a token that is not a number', '{"actor": "ada", "token": "x"}'],
  ] as const)(
    'refuses a caller that is %s, and does nothing',
    async ([, caller], { engine, connect }) => {
      const { id } = await engine.enqueue({ queue: 'mail' })
      const client = await connect()
      await client.query(`select set_config('tusk.caller', $1, false)`, [caller])

      await expect(engine.on(client).cancel(id)).rejects.toMatchObject({ code: 'invalid_argument' })

      expect(await engine.task(id)).toMatchObject({ state: 'ready' })
    },
  )
})

describe('what stands in the audit', () => {
  const change = {
    update: `update audit set actor = 'eve'`,
    delete: 'delete from audit',
    truncate: 'truncate audit',
  }

  test.for(Object.entries(change))(
    'stays: not even its owner can %s it',
    async ([, statement], { engine, asAda }) => {
      await engine.setQueue('mail', {})
      await asAda((on) => on.pause('mail'))

      await expect(engine.rows(statement)).rejects.toMatchObject({ code: 'wrong_state' })

      expect(await entries(engine)).toMatchObject([{ actor: 'ada' }])
    },
  )

  test.for(['operator', 'admin'])('cannot be written by the role %s', async (role, { connect }) => {
    const client = await connect()
    await client.query(`set role ${testRoles}_${role}`)

    for (const statement of [
      ...Object.values(change),
      `insert into audit (actor, action, object) values ('eve', 'nothing', 'at all')`,
      `select write_audit('{"actor": "eve"}', 'a', 'b', null, null)`,
      `select audit_action('a', 'b', null, null)`,
      'alter table audit disable trigger all',
    ]) {
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
    }
  })

  test('can be read by admins, not by operators', async ({ engine, connect }) => {
    const client = await connect()
    await client.query(`set role ${testRoles}_operator`)
    await expect(engine.on(client).auditEntries({})).rejects.toMatchObject({ code: '42501' })

    await client.query(`set role ${testRoles}_admin`)
    expect(await engine.on(client).auditEntries({})).toEqual([])
  })

  test('is swept after 90 days, and not before', async ({ engine }) => {
    await engine.rows(
      `insert into audit (at, actor, action, object)
       select now() - days * interval '1 day', 'ada', 'pause', days || ' days' from unnest(array[1, 89, 91]) as days`,
    )

    await engine.sweep()

    expect((await entries(engine)).map(({ object }) => object).sort()).toEqual([
      '1 days',
      '89 days',
    ])
  })
})

describe('secrets', () => {
  test('never get into the audit, wherever they stand', async ({ engine, asAda }) => {
    const dsn = 'postgres://app:x@hush-hush@db.example.org/app'
    const sql = {
      sql: `alter role app password 'hush-hush'; select dblink('password=hush-hush host=a')`,
    }

    await asAda((on) => on.rows(`select set_statement('rotate', $1)`, JSON.stringify(sql)))
    await asAda((on) =>
      on.rows(
        `select set_connection('far', '{"host": "a", "options": "password=hush-hush", "secret": {"env": "NAME"}}')`,
      ),
    )
    await asAda((on) =>
      on.setSchedule('nightly', {
        every: '1 day',
        task: {
          queue: 'q',
          kind: 'sql',
          payload: { sql: 'select 1' },
          tags: ['password=x,hush-hush', dsn],
        },
      }),
    )
    await asAda((on) => on.rows(`select set_statement('rotate', null)`))

    const written = await entries(engine)
    expect(written).toHaveLength(4)
    expect(JSON.stringify(written)).not.toContain('hush')
    expect(JSON.stringify(written)).toContain('postgres://app:***@db.example.org/app')
  })

  test('are known by the names of properties', async ({ engine }) => {
    const value = { password: 'x', db_password: ['x'], apiKey: 'x', list: [{ Authorization: 'x' }] }

    expect(await engine.value('select redact_secrets($1)', JSON.stringify(value))).toEqual({
      ...{ password: '***', db_password: '***', apiKey: '***' },
      list: [{ Authorization: '***' }],
    })
  })

  test('leave the rest of a value as it is', async ({ engine }) => {
    const value = { a: [1, null, true, 'text: x@y://z'], b: { 'c d': 'é "q" \\ ' }, e: {}, f: [] }

    expect(await engine.value('select redact_secrets($1)', JSON.stringify(value))).toEqual(value)
  })
})
