import { describe, expect } from 'vitest'
import { member } from '../support/crowd.ts'
import { test } from '../support/engine.ts'

// Any login of the database can take any advisory lock, and see in pg_locks which are in use.

describe('advisory locks that another login keeps', () => {
  test('hold up no claim, limit or group', async ({ engine, connect, schema }) => {
    const stranger = await member(engine, connect)
    for (const space of [schema, `${schema}.groups`, `${schema}:triggers`]) {
      for (const name of ['mail', ...Array.from({ length: 16 }, (_, index) => String(index))]) {
        const key = /^\d+$/.test(name) ? `$2::integer` : 'hashtext($2)'
        await stranger.rows(`select pg_advisory_lock(hashtext($1), ${key})`, space, name)
      }
    }
    await engine.enqueueMany([{ queue: 'mail', groups: ['new'] }, { queue: 'mail' }])
    const worker = await member(engine, connect)
    await worker.rows(`set lock_timeout = '5s'`)

    expect(await worker.claim('mail', { limit: 2 })).toHaveLength(2)
    await worker.setQueue('mail', { max_running: 5 })
  })

  test('do not block set_trigger()', async ({ engine, connect, schema }) => {
    const stranger = await member(engine, connect)
    await stranger.rows(
      `select pg_advisory_lock(hashtext($1), hashtext($2))`,
      `${schema}:triggers`,
      'tell',
    )
    const owner = await member(engine, connect)
    await owner.rows(`set lock_timeout = '5s'`)
    await owner.rows('create table pg_temp.payments (id int)')

    await owner.rows(
      `select set_trigger('pg_temp.payments', 'tell', '{"on": ["insert"], "handler": "tell"}')`,
    )

    await owner.rows('insert into pg_temp.payments values (1)')
    expect(await engine.rows('select from tasks')).toHaveLength(1)
  })

  test('hold up no verb of a queue that is followed, and hide no event', async ({
    engine,
    connect,
    schema,
  }) => {
    await engine.setQueue('mail', { records_events: true })
    await engine.enqueue({ queue: 'mail' })
    const stranger = await member(engine, connect)
    const exclusive = await member(engine, connect)
    const lock = (who: typeof stranger, kind: string) =>
      who.rows(
        `select pg_advisory_lock${kind}(hashtext($1), (last_value + n)::integer)
         from event_ids cross join generate_series(0, 20) as n`,
        `${schema}:events`,
      )
    await lock(exclusive, '')
    await stranger.rows(`select pg_advisory_lock_shared(hashtext($1), 0)`, `${schema}:events`)
    const worker = await member(engine, connect)
    await worker.rows(`set lock_timeout = '5s'`)

    const { id } = await worker.enqueue({ queue: 'mail' })

    const events = await worker.rows<{ task: string }>('select * from read_events(0)')
    expect(events.map(({ task }) => task)).toContain(id)
  })
})
