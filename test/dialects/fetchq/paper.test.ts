import { describe, expect } from 'vitest'
import { test } from '../../support/fetchq.ts'

describe('queue basics', () => {
  test('a queue is created once, and dropped with all that is in it', async ({ fetchq }) => {
    const first = await fetchq.row(`select * from fetchq.queue_create('q1')`)
    const again = await fetchq.row(`select * from fetchq.queue_create('q1')`)
    await fetchq.rows(`select fetchq.doc_append('q1', '{}')`)

    const dropped = await fetchq.row(`select * from fetchq.queue_drop('q1')`)

    expect(first).toMatchObject({ was_created: true })
    expect(again).toEqual({ was_created: false, queue_id: first?.['queue_id'] })
    expect(dropped).toEqual({ was_dropped: true, queue_id: first?.['queue_id'] })
    expect(await fetchq.rows('select * from fetchq.queue_status()')).toEqual([])
    expect(await fetchq.engine.value('select count(*)::int from task')).toBe(0)
  })
})

describe('the FIFO workflow', () => {
  test('documents are appended at the end and processed from the top', async ({ fetchq }) => {
    await fetchq.queue('q1')
    const subjects: unknown[] = []
    for (const n of [1, 2, 3])
      subjects.push(
        await fetchq.value(`select subject from fetchq.doc_append('q1', $1, 0, 0)`, { n }),
      )

    const picked = await fetchq.rows(
      `select subject, payload from fetchq.doc_pick('q1', 0, 10, '5s')`,
    )

    expect(picked).toEqual([1, 2, 3].map((n, i) => ({ subject: subjects[i], payload: { n } })))
  })

  test('the same document may be appended many times', async ({ fetchq }) => {
    await fetchq.queue('q1')

    const one = await fetchq.value(`select fetchq.doc_append('q1', '{"foo": 123}', 0, 0)`)
    const two = await fetchq.value(`select fetchq.doc_append('q1', '{"foo": 123}')`)

    expect(one).not.toBe(two)
  })
})

describe('the planned workflow', () => {
  test('a document is not executed before its time', async ({ fetchq }) => {
    await fetchq.queue('q1')
    const pushed = await fetchq.value(
      `select * from fetchq.doc_push('q1', 'doc1', 0, 0, now() + interval '1m', '{"foo": 123}')`,
    )

    expect(pushed).toBe(1)
    expect(await fetchq.doc('q1', 'doc1')).toMatchObject({ status: 0 })
    expect(await fetchq.pick('q1')).toBeUndefined()
  })

  test('a due document is picked without waiting for maintenance', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.rows(
      `select fetchq.doc_push('q1', 'doc1', 0, 0, now() + interval '1m', '{"foo": 123}')`,
    )
    await fetchq.pass('2 minutes')

    expect(await fetchq.doc('q1', 'doc1')).toMatchObject({ status: 0 })
    expect(await fetchq.pick('q1')).toBe('doc1')
    expect(await fetchq.doc('q1', 'doc1')).toMatchObject({ status: 2, attempts: 1 })
  })

  test('a subject is unique in its queue, and only there', async ({ fetchq }) => {
    await fetchq.queue('q1', 'doc1')
    await fetchq.queue('q2')

    expect(await fetchq.value(`select fetchq.doc_push('q1', 'doc1')`)).toBe(0)
    expect(await fetchq.value(`select fetchq.doc_push('q2', 'doc1')`)).toBe(1)
  })

  test('hundreds of centuries ago means right away', async ({ fetchq }) => {
    await fetchq.queue('q1', 'now')
    await fetchq.rows(`select fetchq.doc_push('q1', 'first', '{}'::jsonb, '0001-01-01')`)

    expect(await fetchq.pick('q1')).toBe('first')
  })
})

describe('version', () => {
  test('a worker gets the documents of the version it asks for', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.doc_push('q1', 'old', 0, 0, now(), '{}')`)
    await fetchq.rows(`select fetchq.doc_push('q1', 'new', 1, 0, now(), '{}')`)

    const picked = await fetchq.rows(`select subject from fetchq.doc_pick('q1', 1, 10, '5m')`)

    expect(picked).toEqual([{ subject: 'new' }])
  })
})

describe('priority', () => {
  test('the higher the priority, the earlier the processing, whatever the time', async ({
    fetchq,
  }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.doc_push('q1', 'older', 0, 0, now() - interval '1 day', '{}')`)
    await fetchq.rows(`select fetchq.doc_push('q1', 'higher', 0, 9, now(), '{}')`)

    const picked = await fetchq.rows(`select subject from fetchq.doc_pick('q1', 10)`)

    expect(picked).toEqual([{ subject: 'higher' }, { subject: 'older' }])
  })
})

describe('consuming a queue', () => {
  test('limit is the most that a pick gives', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a', 'b', 'c')

    expect(await fetchq.rows(`select subject from fetchq.doc_pick('q1', 2)`)).toHaveLength(2)
    expect(await fetchq.rows(`select subject from fetchq.doc_pick('q1', 0)`)).toHaveLength(0)
  })

  test('the columns are those after the pick', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')

    const picked = await fetchq.row(
      `select *, next_iteration > now() + interval '4m' as is_locked from fetchq.doc_pick('q1', '5m')`,
    )

    expect(picked).toEqual({
      subject: 'a',
      payload: {},
      version: 0,
      priority: 0,
      attempts: 1,
      iterations: '0',
      created_at: expect.any(Date),
      last_iteration: null,
      next_iteration: expect.any(Date),
      lock_upgrade: null,
      is_locked: true,
    })
  })

  test('what one picked, another does not get', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')

    expect(await fetchq.pick('q1')).toBe('a')
    expect(await fetchq.pick('q1')).toBeUndefined()
  })
})

describe('the maintenance job', () => {
  test('runs for every queue and tells what it did', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.queue('q2', 'lost')
    await fetchq.rows(`select fetchq.doc_push('q1', 'later', '{}', now() + interval '1m')`)
    await fetchq.pick('q2', '1m')
    await fetchq.pass('2 minutes')

    const ran = await fetchq.rows('select * from fetchq.mnt_run_all(100)')

    expect(ran).toEqual([
      { queue: 'q1', activated_count: 1, rescheduled_count: 0, killed_count: 0 },
      { queue: 'q2', activated_count: 0, rescheduled_count: 1, killed_count: 0 },
    ])
    expect(await fetchq.doc('q1', 'later')).toMatchObject({ status: 1 })
    expect(await fetchq.doc('q2', 'lost')).toMatchObject({ status: 1, attempts: 1 })
  })
})

describe('the fail-safe mechanism', () => {
  test('an active document that no worker handled becomes pending again', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1', '1m')
    await fetchq.pass('2 minutes')

    await fetchq.engine.rescue()

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 1, attempts: 1, iterations: '0' })
    expect(await fetchq.pick('q1')).toBe('a')
  })

  test('five times, then it is killed', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await fetchq.pick('q1', '1m')).toBe('a')
      await fetchq.pass('2 minutes')
      await fetchq.rows(`select fetchq.mnt_run('q1', 100)`)
    }

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: -1, attempts: 5, iterations: '0' })
    expect(await fetchq.pick('q1')).toBeUndefined()
  })

  test("the threshold is the queue's to choose", async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    const set = await fetchq.row(`select * from fetchq.queue_set_max_attempts('q1', 1)`)
    await fetchq.pick('q1', '1m')
    await fetchq.pass('2 minutes')

    const ran = await fetchq.row(`select * from fetchq.mnt_run('q1', 100)`)

    expect(set).toEqual({ affected_rows: 1, was_reindexed: true })
    expect(ran).toMatchObject({ killed_count: 1, rescheduled_count: 0 })
  })

  test('also when the registry is changed by hand', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.rows(`update fetchq.queues set max_attempts = 1 where name = 'q1'`)
    await fetchq.pick('q1', '1m')
    await fetchq.pass('2 minutes')

    await fetchq.engine.rescue()

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: -1 })
  })
})
