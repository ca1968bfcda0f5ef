import { describe, expect } from 'vitest'
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
