import { describe, expect } from 'vitest'
import { type Fetchq, test } from '../../support/fetchq.ts'

const push = (fetchq: Fetchq, ...subjects: string[]) =>
  fetchq.value<number>(
    `select fetchq.doc_push('q1', 0, now(), $1)`,
    subjects.map((subject, n) => `('${subject}', ${n}, '{"n": ${n}}', {DATA})`).join(', '),
  )

const stored = async (fetchq: Fetchq) =>
  (
    await fetchq.rows<{ reported: string }>(
      `select concat_ws(' ', subject, priority, payload ->> 'n', status) as reported
       from fetchq_data.q1__docs order by subject collate "C"`,
    )
  ).map(({ reported }) => reported)

const counted = async (fetchq: Fetchq) => {
  await fetchq.rows('select fetchq.metric_log_pack()')
  return fetchq.value(`select current_value from fetchq.metric_get('q1', 'cnt')`)
}

describe('a bulk of documents', () => {
  test('stores those whose subjects are new, whatever became of the others', async ({ fetchq }) => {
    await fetchq.rows(`select fetchq.queue_create('q1')`)
    expect(await push(fetchq, 'ended', 'waits')).toBe(2)
    await fetchq.rows(`select * from fetchq.doc_pick('q1', 0, 1, '5m')`)
    await fetchq.rows(`select fetchq.doc_complete('q1', 'waits')`)

    expect(await push(fetchq, 'ended', 'new', 'waits', 'newer')).toBe(2)
    expect(await push(fetchq, 'ended', 'new', 'waits', 'newer')).toBe(0)

    expect(await stored(fetchq)).toEqual(['ended 0 0 1', 'new 1 1 1', 'newer 3 3 1', 'waits 1 1 3'])
    expect(await counted(fetchq)).toBe(4)
  })

  test('takes the first of two with one subject', async ({ fetchq }) => {
    await fetchq.rows(`select fetchq.queue_create('q1')`)
    await push(fetchq, 'old')

    expect(await push(fetchq, 'twice', 'old', 'twice', 'once')).toBe(2)

    expect(await stored(fetchq)).toEqual(['old 0 0 1', 'once 3 3 1', 'twice 0 0 1'])
    expect(await counted(fetchq)).toBe(3)
  })

  test('has a subject that another kept for a while, once that is over', async ({ fetchq }) => {
    await fetchq.rows(`select fetchq.queue_create('q1')`)
    await push(fetchq, 'old')
    await fetchq.engine.rows(
      `insert into keys (queue, key, task, until)
       values ('q1', 'over', 9001, now() - interval '1 second'), ('q1', 'held', 9002, now() + interval '1 hour')`,
    )

    expect(await fetchq.value(`select fetchq.doc_push('q1', 'held')`)).toBe(0)
    expect(await push(fetchq, 'over', 'old', 'held')).toBe(1)
    expect(await fetchq.value(`select fetchq.doc_push('q1', 'over')`)).toBe(0)

    expect(await stored(fetchq)).toEqual(['old 0 0 1', 'over 0 0 1'])
  })
})
