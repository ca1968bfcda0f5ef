import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test } from '../../support/fetchq.ts'

const append = `select fetchq.doc_append('q1', '{"n": 1}', 2, 3)`

describe('append', () => {
  test('stores a document that is due, counts it, and answers with its subject', async ({
    fetchq,
  }) => {
    await fetchq.queue('q1')

    const subject = await fetchq.value(append)

    expect(await fetchq.rows('select * from fetchq_data.q1__docs')).toMatchObject([
      { subject, status: 1, version: 2, priority: 3, attempts: 0, payload: { n: 1 } },
    ])
    expect(await fetchq.counters('q1')).toEqual({ ent: 1, cnt: 1, pnd: 1, v2: 1 })
    expect(await fetchq.row(`select subject from fetchq.doc_pick('q1', 2, 1, '5m')`)).toEqual({
      subject,
    })
  })

  test('stores in a queue that takes turns as well', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.engine.setQueue('q1', { is_fair: true })

    const subject = await fetchq.value(append)

    expect(await fetchq.row(`select subject from fetchq.doc_pick('q1', 2, 1, '5m')`)).toEqual({
      subject,
    })
    expect(await fetchq.counters('q1')).toEqual({ ent: 1, pkd: 1, cnt: 1, act: 1, v2: 1 })
  })

  test('refuses a payload above what the queue takes', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.engine.setQueue('q1', { max_payload: 10 })

    await expect(fetchq.rows(append)).rejects.toMatchObject({ code: 'TK005' })

    expect(await fetchq.counters('q1')).toEqual({})
  })

  test.for([
    `select fetchq.doc_append('q1', null, 0, 0)`,
    `select fetchq.doc_append('q1', '{}', -1, 0)`,
    `select fetchq.doc_append('q1', '{}', null, 0)`,
    `select fetchq.doc_append('q1', '{}', 0, null)`,
  ])('stores nothing where something is missing: %s', async (call, { fetchq }) => {
    await fetchq.queue('q1')

    expect(await fetchq.value(call)).toBeNull()

    expect(await fetchq.rows('select * from fetchq_data.q1__docs')).toEqual([])
    expect(await fetchq.counters('q1')).toEqual({})
  })

  test('notifies the listeners', async ({ fetchq, connect }) => {
    const { client } = await connect()
    const heard: string[] = []
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    const queue = `q_${randomBytes(4).toString('hex')}`
    await client.query(`listen fetchq__${queue}__pnd`)
    await fetchq.queue(queue)
    await fetchq.rows('select fetchq.queue_enable_notify($1)', queue)

    const subject = await fetchq.value(`select fetchq.doc_append($1, '{}')`, queue)

    await expect.poll(() => heard).toEqual([subject])
  })
})
