import pg from 'pg'
import { describe, expect, inject, vi } from 'vitest'
import { allChecks } from '../../src/doctor/checks/all.ts'
import { examine } from '../../src/doctor/examine.ts'
import { canary, expectNoCanary } from '../support/canaries.ts'
import { test, well } from '../support/doctor.ts'
import { serveQueue } from '../support/serve-queue.ts'
import { openTransactionPooler } from '../support/transaction-pooler.ts'
import { wearKeys } from '../support/worn.ts'

describe('the doctor', () => {
  test('looks at everything once', async ({ db, schema }) => {
    const findings = await examine(db, { schema, connect: connectTo(inject('pgUrl')) })

    expect([...new Set(findings.map(({ check }) => check))]).toEqual(
      allChecks.map(({ name }) => name),
    )
  })

  test('finds a queue without a worker, and what waits too long although there is one', async ({
    engine,
    look,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    expect(await look('queues')).toEqual(well('queues'))
    await engine.pass('31 seconds', id)

    expect(await look('queues')).toMatchObject([
      { level: 'problem', message: expect.stringContaining('no worker serves queue mail') },
    ])

    const card = { id: 'w1', queues: ['mail'], slots: 1, host: 'h', pid: 1, version: '0' }
    await engine.registerWorker(card)
    expect(await look('queues')).toEqual(well('queues'))

    await engine.pass('10 minutes', id)
    expect(await look('queues')).toMatchObject([
      { level: 'warning', details: { queue: 'mail', due: 1, code: null } },
    ])

    await engine.pause('mail')
    expect(await look('queues')).toMatchObject([{ level: 'notice' }])
  })

  test('finds tasks of a handler that no worker has, and says why others wait', async ({
    engine,
    look,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail', handler: 'welcome' })
    await serveQueue(engine)
    await engine.pass('31 seconds', id)
    expect(await look('queues')).toMatchObject([
      {
        level: 'problem',
        message: expect.stringContaining('no worker of queue mail has the handler welcome'),
        details: { queue: 'mail', code: 'no_handler' },
      },
    ])

    await engine.rows(`update workers set handlers = null`)
    await engine.rows(`select set_queue('mail', '{"max_running": 0}')`)
    await engine.pass('10 minutes', id)
    expect(await look('queues')).toMatchObject([
      { level: 'warning', message: expect.stringContaining('queue mail is full (0 of 0)') },
    ])
  })

  test('names a queue in a command as a shell takes it', async ({ engine, look }) => {
    const { id } = await engine.enqueue({ queue: 'mail $(reboot) "now"' })
    await engine.pass('31 seconds', id)

    const quoted = '"mail \\$(reboot) \\"now\\""'
    expect(await look('queues')).toMatchObject([
      { hint: expect.stringContaining(`tusk work ./tasks.mjs --queues ${quoted}. `) },
    ])
    await engine.pause('mail $(reboot) "now"')
    expect(await look('queues')).toMatchObject([{ hint: `To go on: tusk queue resume ${quoted}` }])
  })

  test('finds a transaction that holds back VACUUM, with its pid and query', async ({
    connect,
    look,
  }) => {
    const client = await connect()
    await client.query('begin isolation level repeatable read')
    await client.query('select 17 as secret_of_the_long_one')
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')

    const findings = await look('transactions', { transactionSeconds: 0 })

    const mine = findings.find(({ details }) => details['pid'] === rows[0]?.pid)
    expect(mine).toMatchObject({
      level: 'problem',
      message: expect.stringContaining('pg_backend_pid()'),
      hint: expect.stringContaining(`pg_terminate_backend(${rows[0]?.pid})`),
    })
  })

  test('shows no password of a statement that another session runs', async ({ connect, look }) => {
    const client = await connect()
    await client.query('begin')
    await client.query(`create role role_of_a_transaction password '${canary}'`)

    const findings = await look('transactions', { transactionSeconds: 0 })
    await client.query('rollback')

    expect(JSON.stringify(findings)).toContain('create role role_of_a_transaction password ***')
    expectNoCanary(JSON.stringify(findings))
  })

  test('finds a session that is idle in a transaction and holds a key', async ({
    connect,
    look,
    schema,
  }) => {
    const client = await connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await client.query('begin')
    await client.query(`select ${schema}.enqueue('mail', p_key => 'taken')`)
    const mine = async () =>
      (await look('transactions', { heldSeconds: 0 })).filter(
        ({ details }) => details['pid'] === rows[0]?.pid,
      )

    const findings = await mine()
    await client.query('commit')

    expect(findings).toMatchObject([
      {
        level: 'warning',
        message: expect.stringMatching(/idle in a transaction.*keys.*tasks/),
        hint: expect.stringContaining(`pg_terminate_backend(${rows[0]?.pid})`),
      },
    ])
    expect(await mine()).toEqual([])
  })

  test('finds dead tuples that no vacuum has cleaned up', async ({ db, engine, look }) => {
    const limits = { deadTuples: 50 }
    await wearKeys(engine, 100)
    // Other tables have dead tuples too, from when they were made.
    const ofKeys = async () =>
      (await look('dead-tuples', limits)).filter(({ details }) => details['table'] === 'keys')

    const findings = await ofKeys()
    const withoutVacuum = await look('autovacuum')
    await db.query('alter table keys reset (autovacuum_enabled)')

    expect(findings).toMatchObject([{ level: 'warning', details: { dead: 100 } }])
    expect(withoutVacuum).toMatchObject([{ level: 'warning', details: { tables: ['keys'] } }])
    expect(await look('autovacuum')).toEqual(well('autovacuum'))
  })

  test('finds an index that was never finished', async ({ db, connect, look }) => {
    expect(await look('indexes')).toEqual(well('indexes'))
    const reader = await connect()
    await reader.query('begin isolation level repeatable read')
    await reader.query('select from queues')
    await db.query(`insert into queues (name) values ('a'), ('b')`)

    // Two rows are the same to it: it fails at the end, and leaves what it made.
    await db
      .query('create unique index concurrently half_made on queues ((1))')
      .catch(() => undefined)

    expect(await look('indexes')).toMatchObject([
      { level: 'problem', details: { index: 'half_made', table: 'queues' } },
    ])
    await reader.query('rollback')
    await db.query('drop index half_made')
  })

  test('finds that connections run out', async ({ look }) => {
    expect(await look('connections', { connectionShare: 0.001 })).toMatchObject([
      { level: 'warning', details: { used: expect.any(Number), room: expect.any(Number) } },
    ])
    expect(await look('connections')).toEqual(well('connections'))
  })

  test('finds a listener that does not read its notifications', async ({ db, connect, look }) => {
    expect(await look('notifications')).toEqual(well('notifications'))
    const sleeper = await connect()
    await sleeper.query('listen doctor')
    await sleeper.query('begin')
    await sleeper.query('select 1')
    await db.query(
      `select pg_notify('doctor', n || repeat('x', 7000)) from generate_series(1, 500) as n`,
    )

    expect(await look('notifications', { notifyShare: 1e-6 })).toMatchObject([
      { level: 'warning', message: expect.stringContaining('notifications') },
    ])
  })

  test('finds a database that takes no writes', async ({ connect, schema, look }) => {
    expect(await look('writable')).toEqual(well('writable'))
    const client = await connect()
    await client.query('set default_transaction_read_only = on')

    expect(await examine(client, { schema, only: ['writable'] })).toMatchObject([
      { level: 'problem', message: expect.stringContaining('read-only') },
    ])
  })

  test('finds what a crash would lose', async ({ db, connect, schema, look }) => {
    await db.query('alter table sleepers set unlogged')
    const client = await connect()
    await client.query('set synchronous_commit = off')

    const findings = await examine(client, { schema, only: ['durability'] })
    await db.query('alter table sleepers set logged')

    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'warning', details: { setting: 'synchronous_commit' } }),
    )
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'problem', details: { tables: ['sleepers'] } }),
    )
    expect(await look('durability')).not.toContainEqual(
      expect.objectContaining({ details: { tables: ['sleepers'] } }),
    )
  })

  test('finds rows that grow too old', async ({ look }) => {
    expect(await look('wraparound', { frozenAge: 1 })).toMatchObject([{ level: 'warning' }])
    expect(await look('wraparound')).toEqual(well('wraparound'))
  })

  test('finds clocks that differ', async ({ look }) => {
    expect(await look('clock')).toEqual(well('clock'))
    const now = Date.now.bind(Date)
    const ahead = vi.spyOn(Date, 'now').mockImplementation(() => now() + 90_000)

    const findings = await look('clock')
    ahead.mockRestore()

    expect(findings).toMatchObject([
      { level: 'warning', message: expect.stringMatching(/clock is 1 minute ahead of/) },
    ])
  })

  test('finds a pooler in transaction mode', async ({ db, schema }) => {
    const only = ['pooler']
    const straight = await examine(db, { schema, only, connect: connectTo(inject('pgUrl')) })
    const pooler = await openTransactionPooler(inject('pgUrl'))

    const pooled = await examine(db, { schema, only, connect: connectTo(pooler.url) })
    await pooler.close()

    expect(straight).toEqual(well('pooler'))
    expect(pooled).toMatchObject([{ level: 'warning', hint: expect.stringContaining('DIRECT') }])
  })

  test('says what a login may not see, and goes on', async ({ db, schema }) => {
    const role = `${schema}_stranger`
    await db.query(`create role ${role}`)
    await db.query(`grant usage on schema ${schema} to ${role}`)
    await db.query(`grant select on installed to ${role}`)
    const client = await db.connect()
    await client.query(`set role ${role}`)

    const findings = await examine(client, { schema })
    await client.query('reset role')
    client.release()
    await db.query(`drop owned by ${role}`)
    await db.query(`drop role ${role}`)

    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'queues',
        level: 'notice',
        message: expect.stringContaining('could not be looked at: permission denied'),
      }),
    )
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'transactions', level: 'notice' }),
    )
    expect(findings.find(({ check }) => check === 'version')).toMatchObject({ level: 'ok' })
  })
})

function connectTo(url: string): () => Promise<pg.Client> {
  return async () => {
    const client = new pg.Client(url)
    await client.connect()
    return client
  }
}
