import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { test } from '../../support/fetchq.ts'

describe('the relation of a queue', () => {
  test.for([
    [`insert into fetchq_data.q1__docs (subject) values ('a')`, 'TK006'],
    [`insert into fetchq_data.q1__docs (subject, status) values ('b', 3)`, 'TK003'],
    [`insert into fetchq_data.q1__docs (subject, attempts) values ('b', 2)`, 'TK003'],
    [`insert into fetchq_data.q1__docs (subject, version) values ('b', -1)`, 'TK004'],
    [`insert into fetchq_data.q1__docs (subject) values (null)`, 'TK004'],
    [`update fetchq_data.q1__docs set subject = 'b'`, 'TK004'],
    [`update fetchq_data.q1__docs set version = 1`, 'TK004'],
    [`update fetchq_data.q1__docs set payload = null`, 'TK004'],
    [`update fetchq_data.q1__docs set attempts = -1`, 'TK004'],
    [`insert into fetchq_data.q1__logs (subject) values ('a')`, '23502'],
  ] as const)('says so when it changes nothing: %s', async ([statement, code], { fetchq }) => {
    await fetchq.queue('q1', 'a')
    const before = await fetchq.rows('select * from fetchq_data.q1__docs')

    await expect(fetchq.rows(statement)).rejects.toMatchObject({ code })

    expect(await fetchq.rows('select * from fetchq_data.q1__docs')).toEqual(before)
  })

  test('lets the payload of an active document be changed, and leaves its lock', async ({
    fetchq,
  }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')
    const before = await fetchq.doc('q1', 'a')

    await fetchq.rows(`update fetchq_data.q1__docs set payload = '{"n": 1}'`)

    expect(await fetchq.doc('q1', 'a')).toEqual({ ...before, payload: { n: 1 } })
    await fetchq.rows(`select fetchq.doc_complete('q1', 'a')`)
    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 3, payload: { n: 1 } })
  })

  test('lets attempts be set, and counts the next pick from there', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.rows(`update fetchq_data.q1__docs set attempts = 3`)
    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 1, attempts: 3 })

    expect(await fetchq.value(`select attempts from fetchq.doc_pick('q1')`)).toBe(4)
    await fetchq.rows(`update fetchq_data.q1__docs set attempts = 5 where status = 2`)
    await fetchq.rows(`select fetchq.doc_reject('q1', 'a', 'the last of five', '{}')`)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: -1, attempts: 5 })
  })

  test('takes lines into logs and snapshots, and finds them again', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')

    const line = await fetchq.row(
      `insert into fetchq_data.q1__logs (subject, message, ref_id) values ('a', 'by hand', 'r')
       returning id is not null and created_at is not null as is_complete`,
    )
    await fetchq.rows(
      `insert into fetchq_data.q1__metrics (created_at, metric, value) values ('2020-01-01', 'cnt', 7)`,
    )

    expect(line).toEqual({ is_complete: true })
    expect(await fetchq.value(`select info from fetchq.trace('a') where type = 'error'`)).toBe(
      'by hand',
    )
    expect(
      await fetchq.row(`select metric, value::int, extract(year from created_at)::int as year
        from fetchq_data.q1__metrics`),
    ).toEqual({ metric: 'cnt', value: 7, year: 2020 })
    await fetchq.rows(`delete from fetchq_data.q1__logs where ref_id = 'r'`)
    expect(await fetchq.rows(`select from fetchq_data.q1__logs`)).toEqual([])
  })

  test('brings a document back with another priority and payload', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')
    await fetchq.rows(`select fetchq.doc_complete('q1', 'a', '{"n": 1}')`)

    await fetchq.rows(
      `update fetchq_data.q1__docs set status = 1, priority = 7, payload = '{"n": 2}', next_iteration = now()`,
    )

    expect(
      await fetchq.row(`select subject, priority, payload from fetchq.doc_pick('q1')`),
    ).toEqual({ subject: 'a', priority: 7, payload: { n: 2 } })
  })
})

describe('the registry', () => {
  test.for([`select fetchq.queue_get_id('q1')`, `insert into fetchq.queues (name) values ('q1')`])(
    'makes a queue that keeps its subjects: %s',
    async (statement, { fetchq }) => {
      await fetchq.rows(statement)
      await fetchq.rows(`select fetchq.doc_push('q1', 'a')`)
      expect(await fetchq.pick('q1')).toBe('a')
      await fetchq.rows(`select fetchq.doc_complete('q1', 'a')`)

      expect(await fetchq.value(`select fetchq.doc_push('q1', 'a')`)).toBe(0)

      expect(await fetchq.value(`select was_created from fetchq.queue_create('q1')`)).toBe(true)
      expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 3 })
    },
  )
})

describe('a completed document', () => {
  test('shows what it is upserted with, not what it was completed with', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')
    await fetchq.rows(`select fetchq.doc_complete('q1', 'a', '{"n": 1}')`)

    await fetchq.rows(`select fetchq.doc_upsert('q1', 'a', 0, 0, now(), '{"n": 2}')`)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 3, payload: { n: 2 } })
  })

  test('is planned anew, also when the engine completed it behind the back of maintenance', async ({
    fetchq,
  }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.doc_push('q1', 'a', '{}', now() + interval '1 hour')`)
    await fetchq.pass('2 hours')
    await fetchq.engine.rows(
      `select complete(id, claim) from claim('q1', p_kinds => '{document}') as taken`,
    )

    expect(await fetchq.value(`select fetchq.doc_play('q1', 'a', now() + interval '1 hour')`)).toBe(
      1,
    )

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 0 })
    expect(await fetchq.value(`select fetchq.mnt_make_pending('q1', 10)`)).toBe(0)
  })
})

describe('counters of a name in capitals', () => {
  test('are those of the queue', async ({ fetchq }) => {
    await fetchq.rows(`select fetchq.metric_set('Big', 'mine', 1)`)
    await fetchq.rows(`select fetchq.metric_increment('BIG', 'mine', 2)`)
    await fetchq.rows(`select fetchq.metric_log_increment('Big', 'mine', 4)`)
    await fetchq.rows(`select fetchq.metric_log_decrement('bIg', 'mine', 1)`)
    await fetchq.rows(`select fetchq.metric_log_set('BIG', 'other', 5)`)

    expect(await fetchq.counters('big')).toEqual({ mine: 6, other: 5 })
    expect(await fetchq.value(`select current_value from fetchq.metric_get('Big', 'mine')`)).toBe(6)
  })
})

describe('queue_create_indexes', () => {
  test('lets documents be found by their payload, pending and completed', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.doc_append('q1', jsonb_build_object('customer', n), 0, 0)
      from generate_series(1, 500) as n`)
    await fetchq.rows(`select fetchq.doc_complete('q1', subject, payload || '{"paid": true}')
      from fetchq.doc_pick('q1', 0, 400, '5m')`)
    await fetchq.engine.value('analyze finished')
    expect(
      await fetchq.rows(`select fetchq.queue_create_indexes('q1') as made,
        fetchq.queue_create_indexes('nope') as none`),
    ).toEqual([{ made: true, none: false }])

    const found = `select payload from fetchq_data.q1__docs where payload @> '{"customer": 2}'`
    expect(await fetchq.rows(found)).toEqual([{ payload: { customer: 2, paid: true } }])
    const client = new pg.Client(inject('pgUrl'))
    await client.connect()
    await client.query('set enable_seqscan = off; set enable_indexscan = off')
    const { rows: plan } = await client.query(
      `explain ${found.replace('fetchq_data', `${fetchq.schema}_data`)}`,
    )
    await client.end()
    const lines = plan.map((row) => row['QUERY PLAN']).join(' ')
    // On a partition the name of the index is the partition's own.
    expect(lines).toMatch(/on documents_of_[0-9a-f]{32} /)
    expect(lines).toMatch(/on finished_default_payload_idx /)
    expect(
      await fetchq.engine.rows(
        `select find_documents('q1', '{"customer": 2}') is not null as found`,
      ),
    ).toEqual([{ found: true }])
    await fetchq.rows(`select fetchq.queue_drop_indexes('q1')`)
  })
})
