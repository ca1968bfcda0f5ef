import { describe, expect } from 'vitest'
import type { Fetchq } from '../../support/fetchq.ts'
import { test } from '../../support/fetchq.ts'

/** Everything there is, to see that nothing changed. */
async function everything(fetchq: Fetchq): Promise<unknown> {
  return {
    docs: await fetchq.rows('select * from fetchq.document order by task'),
    queues: await fetchq.rows('select * from fetchq.queues order by id'),
    logs: await fetchq.rows('select * from fetchq.doc_logs order by id'),
    keys: await fetchq.engine.rows('select * from keys order by queue, key'),
  }
}

const evil = `x'); drop schema public cascade; --"';\\{}$1%s`

describe('apostrophes, quotes and semicolons', () => {
  test('are kept as data in every argument', async ({ fetchq }) => {
    await fetchq.queue('q1')
    const payload = { [evil]: evil }

    await fetchq.rows(`select fetchq.doc_push('q1', $1, 0, 0, now(), $2)`, evil, payload)
    const [picked] = await fetchq.rows(`select subject, payload from fetchq.doc_pick('q1')`)
    await fetchq.rows(`select fetchq.doc_reject('q1', $1, $1, $2, $1)`, evil, payload)
    await fetchq.rows(`select fetchq.log_error('q1', $1, $1, $2, $1)`, evil, payload)

    expect(picked).toEqual({ subject: evil, payload })
    const log = { subject: evil, message: evil, details: payload, ref_id: evil }
    expect(
      await fetchq.rows('select subject, message, details, ref_id from fetchq_data.q1__logs'),
    ).toEqual([log, log])
    expect(await fetchq.rows('select info from fetchq.trace($1)', evil)).toHaveLength(3)
  })

  test('in the text of a bulk are read, never run', async ({ fetchq }) => {
    await fetchq.queue('q1')
    const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
    const tuple = (subject: string, payload: object) =>
      `(${literal(subject)}, 0, ${literal(JSON.stringify(payload))}, {DATA})`

    const queued = await fetchq.value(
      `select fetchq.doc_push('q1', 0, now(), $1::varchar)`,
      [tuple(evil, { evil }), tuple('b', {})].join(', '),
    )

    expect(queued).toBe(2)
    expect(await fetchq.doc('q1', evil)).toMatchObject({ payload: { evil } })
  })

  test.for([
    `('a', 0, '{}', {DATA}); drop schema public cascade`,
    `('a', (select 1), '{}', {DATA})`,
    `('a', 0, '{}', {DATA}), (`,
    `('a', 0, '{}', {DATA}), ('b', x, '{}', {DATA})`,
    `('a', 0, '{}', {DATA}), ('b', 0, '{}', {DATA}) or ('c', 0, '{}', {DATA})`,
    `('a', 0, '{}', {DATA}), ('b', 0, '{}', 1), ('c', 0, '{}', {DATA})`,
    `('a', 0, 'no json', {DATA})`,
    `('a', 99999999999, '{}', {DATA})`,
    `('${'x'.repeat(51)}', 0, '{}', {DATA})`,
    '',
  ])('a bulk that is none pushes nothing: %s', async (data, { fetchq }) => {
    await fetchq.queue('q1')
    const before = await everything(fetchq)

    expect(await fetchq.value(`select fetchq.doc_push('q1', 0, now(), $1::varchar)`, data)).toBe(0)

    expect(await everything(fetchq)).toEqual(before)
  })

  test('two apostrophes stand for one, unless the queue or the session keeps them', async ({
    fetchq,
    connect,
  }) => {
    await fetchq.queue('q1')
    await fetchq.queue('kept')
    await fetchq.rows(
      `update fetchq.queues set config = config || '{"keep_quotes": true}' where name = 'kept'`,
    )
    const session = await connect()
    await session.client.query(`set fetchq.keep_quotes = 'on'`)
    const twice = "it''s"

    for (const [on, queue, subject] of [
      [fetchq, 'q1', 'a'],
      [fetchq, 'kept', 'b'],
      [session, 'q1', 'c'],
    ] as const)
      await on.rows('select fetchq.doc_push($1, $2, $3::jsonb)', queue, subject, { twice })

    expect((await fetchq.doc('q1', 'a'))?.['payload']).toEqual({ twice: "it's" })
    expect((await fetchq.doc('kept', 'b'))?.['payload']).toEqual({ twice })
    expect((await fetchq.doc('q1', 'c'))?.['payload']).toEqual({ twice })
    await fetchq.rows('select fetchq.doc_push($1, $2)', 'kept', twice)
    await fetchq.rows('select fetchq.doc_push($1, $2)', 'q1', twice)
    expect(await fetchq.rows('select queue from fetchq.trace($1)', twice)).toEqual([
      { queue: 'q1' },
      { queue: 'kept' },
    ])
  })
})

describe('an unknown queue', () => {
  const name = `none'; drop schema public cascade; --`

  test.for([
    [`select fetchq.doc_push($1, 'a')`, 0],
    [`select fetchq.doc_append($1, '{}')`, null],
    [`select fetchq.doc_complete($1, 'a')`, null],
    [`select fetchq.doc_kill($1, 'a')`, null],
    [`select count(*)::int from fetchq.doc_pick($1)`, 0],
    [`select fetchq.log_error($1, 'a', 'm', '{}')`, false],
    [`select was_created from fetchq.queue_create($1)`, false],
    [`select was_dropped from fetchq.queue_drop($1)`, false],
    [`select fetchq.mnt_mark_dead($1, 1)`, null],
    [`select affected_rows from fetchq.queue_set_max_attempts($1, 1)`, 0],
    [`select fetchq.queue_set_logs_retention($1, '1h')`, 0],
  ] as const)('gets the answer of the original: %s', async ([statement, answer], { fetchq }) => {
    expect(await fetchq.value(statement, name)).toBe(answer)
  })

  test.for([
    `select fetchq.doc_reschedule($1, 'a', now())`,
    `select fetchq.doc_reject($1, 'a', 'm', '{}')`,
    `select fetchq.doc_drop($1, 'a')`,
    `select fetchq.queue_top($1, 0, 1, 0)`,
    `select fetchq.queue_truncate($1)`,
    `select fetchq.queue_enable_notify($1)`,
    `select fetchq.metric_compute($1)`,
    `select fetchq.mnt_run($1, 1)`,
    `select fetchq.mnt_make_pending($1, 1)`,
    `select fetchq.doc_play($1, 'a')`,
  ])('is named in the error where the original raised: %s', async (statement, { fetchq }) => {
    await expect(fetchq.rows(statement, name)).rejects.toMatchObject({
      code: 'TK004',
      message: expect.stringContaining('there is no queue'),
      hint: expect.stringContaining('queue_create'),
    })
  })
})

describe('invalid arguments', () => {
  test('a subject of more than 50 characters is refused as the original does', async ({
    fetchq,
  }) => {
    await fetchq.queue('q1')

    await expect(
      fetchq.rows(`select fetchq.doc_push('q1', $1)`, 'x'.repeat(51)),
    ).rejects.toMatchObject({ code: 'P0001', message: 'The subject exceeds 50 characters limit' })
    expect(await fetchq.value(`select fetchq.doc_push('q1', $1)`, 'ü'.repeat(50))).toBe(1)
  })

  test('a bad interval picks nothing', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')

    expect(await fetchq.rows(`select * from fetchq.doc_pick('q1', 0, 1, 'soon')`)).toEqual([])
    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 1, attempts: 0 })
  })

  test.for(['999999 years', '-999999 years', 'infinity'])(
    'a lock or a retention of %s picks and drops nothing',
    async (span, { fetchq }) => {
      await fetchq.queue('q1', 'a')
      await fetchq.rows(`select fetchq.log_error('q1', 'a', 'm', '{}')`)

      expect(await fetchq.rows(`select * from fetchq.doc_pick('q1', 0, 1, $1)`, span)).toEqual([])
      expect(await fetchq.value(`select fetchq.queue_drop_logs('q1', $1::varchar)`, span)).toBe(0)
      expect(await fetchq.value(`select fetchq.queue_set_logs_retention('q1', $1)`, span)).toBe(0)
    },
  )

  test('maintenance cannot be limited to less than nothing', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')

    expect(await fetchq.value(`select fetchq.mnt_mark_dead('q1', -1)`)).toBeNull()
    expect(await fetchq.value(`select fetchq.mnt_reschedule_orphans('q1', -1)`)).toBeNull()
    expect(await fetchq.row('select * from fetchq.mnt_job_run(-1)')).toEqual({
      success: false,
      processed: 0,
    })
  })

  test.for([
    '[{"subject": "a"}, {"subject": "b", "priority": "high"}]',
    '[{"subject": "a"}, {"subject": "b", "next_iteration": "soon"}]',
    '[{"subject": "a"}, 1]',
    '{}',
  ])('documents that cannot be read are refused as a whole: %s', async (docs, { fetchq }) => {
    await fetchq.queue('q1')
    const before = await everything(fetchq)

    await expect(
      fetchq.rows(`select * from fetchq.doc_push_many('q1', $1)`, docs),
    ).rejects.toMatchObject({ code: 'TK004', hint: expect.stringContaining('subject') })

    expect(await everything(fetchq)).toEqual(before)
  })

  test('NUL cannot be stored, and nothing is', async ({ fetchq }) => {
    await fetchq.queue('q1')
    const before = await everything(fetchq)

    await expect(fetchq.rows(`select fetchq.doc_push('q1', $1)`, 'a\0b')).rejects.toThrow()
    await expect(
      fetchq.rows(`select fetchq.doc_append('q1', $1)`, { text: 'a\0b' }),
    ).rejects.toThrow()

    expect(await everything(fetchq)).toEqual(before)
  })

  test('a payload of a megabyte is none of that', async ({ fetchq }) => {
    await fetchq.queue('q1')
    const payload = { text: 'x'.repeat(1024 * 1024) }

    await fetchq.rows(`select fetchq.doc_push('q1', 'big', $1::jsonb)`, payload)

    expect((await fetchq.row(`select payload from fetchq.doc_pick('q1')`))?.['payload']).toEqual(
      payload,
    )
  })

  test('times without end are far away', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.doc_push('q1', 'never', '{}', timestamptz 'infinity')`)
    await fetchq.rows(`select fetchq.doc_push('q1', 'ever', '{}', timestamptz '-infinity')`)

    expect(await fetchq.rows(`select subject from fetchq.doc_pick('q1', 5)`)).toEqual([
      { subject: 'ever' },
    ])
  })

  test('names of queues are folded, and other texts are not names', async ({ fetchq }) => {
    expect(await fetchq.value(`select was_created from fetchq.queue_create('Big')`)).toBe(true)
    await fetchq.rows(`select fetchq.doc_push('BIG', 'a')`)

    expect(await fetchq.pick('bIg')).toBe('a')
    for (const name of ['', 'a-b', '1a', 'a b', 'ä', `a"b`])
      expect(await fetchq.value('select was_created from fetchq.queue_create($1)', name)).toBe(
        false,
      )
  })
})
