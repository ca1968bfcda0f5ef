import postgres from 'postgres'
import { expect } from 'vitest'
import { fromPostgresJs } from '../../src/adapters/postgres-js.ts'
import { defineTask } from '../../src/tasks/define-task.ts'
import { describeBehindPgBouncer, test } from '../support/pgbouncer.ts'

const sendMail = defineTask({
  name: 'send_mail',
  queue: 'mail',
  run: async ({ to }: { to: string }) => `sent to ${to}`,
})

describeBehindPgBouncer('behind PgBouncer in transaction mode', () => {
  test('the tests have a pooler that shares its connections', async ({ producer }) => {
    const [one, two] = [await producer(), await producer()]
    const backend = 'select pg_backend_pid() as pid'

    const pids = [await one.query(backend), await two.query(backend)].map(({ rows }) => rows[0].pid)

    expect(pids[0]).toBe(pids[1])
    // And it is of the kind that knows no prepared statements.
    await one.query({ name: 'named', text: 'select 1' })
    await expect(two.query({ name: 'named', text: 'select 2' })).rejects.toMatchObject({
      code: '42P05',
    })
    await one.query('deallocate all')
  })

  test('tasks are enqueued one by one, many at once, and gathered', async ({ open, engine }) => {
    const tusk = await open({ tasks: [sendMail] })

    const one = await tusk.enqueue('send_mail', { to: 'ada' }, { key: 'ada' })
    const same = await tusk.enqueue('send_mail', { to: 'bob' }, { key: 'ada' })
    const many = await tusk.enqueueMany([
      { name: 'send_mail', payload: { to: 'cleo' } },
      { name: 'send_mail', payload: { to: 'dan' } },
    ])
    const gathered = await Promise.all(
      Array.from({ length: 200 }, (_, at) => tusk.enqueue('send_mail', { to: `nr ${at}` })),
    )

    expect([one.outcome, same.outcome, same.id]).toEqual(['created', 'kept', one.id])
    expect(new Set([one, ...many, ...gathered].map(({ id }) => id)).size).toBe(203)
    expect(await engine.value('select coalesce(sum(size), 0)::integer from tasks')).toBe(203)
  })

  test('a task belongs to the transaction of its caller', async ({ open, producer, engine }) => {
    const tusk = await open({ tasks: [sendMail] })
    const client = await producer()

    await client.query('begin')
    await tusk.enqueue('send_mail', { to: 'nobody' }, { on: client })
    await client.query('rollback')
    await client.query('begin')
    await tusk.enqueue('send_mail', { to: 'ada' }, { on: client })
    const before = await engine.value('select coalesce(sum(size), 0)::integer from tasks')
    await client.query('commit')

    expect(before).toBe(0)
    expect(await engine.value(`select payload ->> 'to' from tasks`)).toBe('ada')
  })

  test('a task belongs to a transaction of postgres.js, without prepared statements', async ({
    open,
    pooler,
    engine,
  }) => {
    const tusk = await open({ tasks: [sendMail] })
    const sql = postgres(pooler.url, { prepare: false, max: 8 })

    const enqueued = await Promise.all(
      ['ada', 'bob', 'cleo', 'dan', 'eve'].map((to) =>
        sql.begin((tx) => tusk.enqueue('send_mail', { to }, { on: fromPostgresJs(tx) })),
      ),
    )
    await sql.end()

    expect(enqueued).toHaveLength(5)
    expect(await engine.value('select coalesce(sum(size), 0)::integer from tasks')).toBe(5)
  })

  test('tasks are looked at, cancelled and retried', async ({ open }) => {
    const tusk = await open()
    const { id } = await tusk.enqueueTask({ queue: 'mail', payload: { to: 'ada' } })

    await tusk.tasks.cancel(id)
    const cancelled = await tusk.tasks.get(id)
    await tusk.tasks.retry(id)

    expect(cancelled).toMatchObject({ state: 'cancelled' })
    expect(await tusk.tasks.get(id)).toMatchObject({ id, state: 'ready', payload: { to: 'ada' } })
    expect((await tusk.tasks.list({ queue: 'mail' })).tasks.map((task) => task.id)).toEqual([id])
    await expect(tusk.tasks.cancel('404')).rejects.toMatchObject({ code: 'task_not_found' })
  })

  test('a producer waits for what a worker past the pooler does', async ({ open, work }) => {
    const tusk = await open({ tasks: [sendMail] })
    await work({ tasks: [sendMail] })

    const tasks = await Promise.all(
      ['ada', 'bob', 'cleo'].map((to) => tusk.enqueue('send_mail', { to })),
    )

    // A wait that trusted LISTEN through the pooler would look again after 20 seconds only.
    const outputs = await Promise.all(tasks.map((task) => task.wait({ timeout: 60_000 })))
    expect(outputs).toEqual(['sent to ada', 'sent to bob', 'sent to cleo'])
  })

  test('SQL alone enqueues, with parameters and as a simple query', async ({
    producer,
    engine,
    schema,
  }) => {
    const client = await producer()

    const bound = await client.query(`select * from ${schema}.enqueue($1, $2)`, [
      'mail',
      { to: 'ada' },
    ])
    const plain = await client.query(
      `select * from ${schema}.enqueue('mail', '{"to": "bob"}', p_key => 'bob')`,
    )

    expect([...bound.rows, ...plain.rows]).toMatchObject([
      { outcome: 'created' },
      { outcome: 'created' },
    ])
    expect(
      await engine.value(`select string_agg(payload ->> 'to', ' ' order by id) from task`),
    ).toBe('ada bob')
  })

  test('what a session of another client leaves behind changes nothing', async ({
    open,
    producer,
    engine,
    schema,
  }) => {
    const at = '2100-07-01T12:00:00.000Z'
    const zones = ['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham', 'Africa/Monrovia']
    // PgBouncer carries the zone along with its client, and lets everything else lie.
    const unruly = await Promise.all(
      Array.from({ length: 8 }, async (_, nr) => {
        const client = await producer()
        await client.query(`set timezone = '${zones[nr % 4]}'; set search_path = pg_temp;
          set datestyle = 'sql, dmy'; set intervalstyle = 'sql_standard'; set bytea_output = 'escape'`)
        return client
      }),
    )
    const clients = await Promise.all(Array.from({ length: 4 }, () => open()))

    const enqueued = await Promise.all([
      ...clients.flatMap((tusk) =>
        Array.from({ length: 10 }, (_, nr) =>
          tusk.enqueueTask({ queue: 'mail', payload: { nr }, runAt: new Date(at), key: `${nr}` }),
        ),
      ),
      ...unruly.map(async (client) => {
        const text = `select * from ${schema}.enqueue('post', p_run_at => '2100-07-01 12:00 UTC')`
        return (await client.query<{ id: string; outcome: string }>(text)).rows[0]
      }),
    ])
    const seen = await Promise.all(
      clients.map((tusk) => tusk.tasks.list().then(({ tasks }) => tasks)),
    )

    expect(enqueued.filter((task) => task?.outcome === 'created')).toHaveLength(18)
    expect(await engine.rows('select distinct run_at from task')).toEqual([
      { run_at: new Date(at) },
    ])
    for (const tasks of seen) {
      expect(tasks).toHaveLength(18)
      expect(new Set(tasks.map(({ runAt }) => runAt.toISOString()))).toEqual(new Set([at]))
    }
  })
})
