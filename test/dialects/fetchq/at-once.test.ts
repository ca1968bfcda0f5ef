import { describe, expect } from 'vitest'
import { type Fetchq, test } from '../../support/fetchq.ts'
import { until } from '../../support/until.ts'

const play = `select fetchq.doc_play('q1', 'a')`
const purge = `select fetchq.queue_drop_docs('q1', '0s')`

/** A queue with one document that was killed. */
async function kill(fetchq: Fetchq): Promise<void> {
  await fetchq.queue('q1', 'a')
  await fetchq.pick('q1')
  await fetchq.rows(`select fetchq.doc_kill('q1', 'a')`)
}

/** Whether a session that is asked on another connection waits for a lock. */
async function isWaiting(fetchq: Fetchq, pid: unknown): Promise<boolean> {
  return fetchq.value(
    `select wait_event_type is not distinct from 'Lock' from pg_stat_activity where pid = $1`,
    pid,
  )
}

/** What a statement answers that meets another, whose transaction ends while the first one waits for it. */
async function meet(
  fetchq: Fetchq,
  connect: () => Promise<Fetchq>,
  first: string,
  second: string,
): Promise<unknown> {
  const [one, other] = [await connect(), await connect()]
  const pid = await other.value('select pg_backend_pid()')
  await one.rows('begin')
  await one.rows(first)
  let isOver = false
  const answer = other.value(second).finally(() => {
    isOver = true
  })
  answer.catch(() => {}) // Awaited below.
  await until(async () => isOver || (await isWaiting(fetchq, pid)))
  await one.rows('commit')
  return answer
}

describe('a document', () => {
  test('that is brought back is not purged at the same moment', async ({ fetchq, connect }) => {
    await kill(fetchq)

    expect(await meet(fetchq, connect, play, purge)).toBe(0)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 1 })
    expect(await fetchq.counters('q1')).toMatchObject({ cnt: 1, pnd: 1, v0: 1 })
  })

  test('that is purged is not brought back', async ({ fetchq, connect }) => {
    await kill(fetchq)

    expect(await meet(fetchq, connect, purge, play)).toBe(0)

    expect(await fetchq.rows('select * from fetchq_data.q1__docs')).toEqual([])
  })

  test('is purged once, and brought back once', async ({ fetchq, connect }) => {
    await kill(fetchq)
    expect(await meet(fetchq, connect, play, play)).toBe(0)
    await fetchq.pick('q1')
    await fetchq.rows(`select fetchq.doc_complete('q1', 'a')`)
    expect(await meet(fetchq, connect, purge, purge)).toBe(0)

    const { cnt, kll, cpl, pnd, act, v0 } = await fetchq.counters('q1')
    expect({ cnt, kll, cpl, pnd, act, v0 }).toEqual({})
  })

  test('is taken off the plan by a pick that began before it was planned', async ({
    fetchq,
    connect,
  }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.queue_enable_notify('q1')`)
    const [settings, pusher, picker] = [await connect(), await connect(), await connect()]
    const pid = await picker.value('select pg_backend_pid()')
    await settings.rows('begin')
    await settings.rows(`select set_queue('q1', '{"max_running": 100}')`)
    await pusher.rows('begin')
    await pusher.rows(`select fetchq.doc_push('q1', 'a', '{}', now() + interval '1 second')`)
    await until(() =>
      pusher.value('select next_iteration < clock_timestamp() from fetchq_data.q1__docs'),
    )
    const picked = picker.rows(`select * from fetchq.doc_pick('q1', 5)`)
    await until(() => isWaiting(fetchq, pid))
    await pusher.rows('commit')
    await settings.rows('commit')

    expect(await picked).toMatchObject([{ subject: 'a' }])

    await picker.rows(`select fetchq.doc_drop('q1', 'a')`)
    expect(await fetchq.counters('q1')).toEqual({ ent: 1, pkd: 1, prc: 1, drp: 1 })
  })

  test('is not changed while it is picked', async ({ fetchq, connect }) => {
    await fetchq.queue('q1', 'a')
    const upsert = `select updated_docs from fetchq.doc_upsert('q1', 'a', 0, 5, now(), '{"new": true}')`

    expect(await meet(fetchq, connect, `select fetchq.doc_pick('q1')`, upsert)).toBe(0)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 2, priority: 0, payload: {} })
  })

  test.for([
    ['rescheduled', `select fetchq.doc_reschedule('q1', 'a', now() + interval '1 day')`],
    ['brought back', `select fetchq.doc_play('q1', 'a', now() + interval '1 day')`],
  ] as const)(
    'that is %s while it is upserted is planned for the time of the upsert',
    async ([, first], { fetchq, connect }) => {
      await fetchq.queue('q1', 'a')
      await fetchq.pick('q1')
      if (first.includes('play')) await fetchq.rows(`select fetchq.doc_complete('q1', 'a')`)
      const upsert = `select updated_docs from fetchq.doc_upsert('q1', 'a', 0, 0, now() + interval '1 hour', '{}')`

      expect(await meet(fetchq, connect, first, upsert)).toBe(1)

      await fetchq.pass('2 hours')
      expect(await fetchq.value(`select fetchq.mnt_make_pending('q1', 10)`)).toBe(1)
      expect(await fetchq.pick('q1')).toBe('a')
      await fetchq.rows(`select fetchq.doc_complete('q1', 'a')`)
      expect(await fetchq.doc('q1', 'a')).toMatchObject({
        next_iteration: new Date('2970-01-01T00:00:00Z'),
      })
    },
  )

  test('is counted as what it is when it is deleted by hand', async ({ fetchq, connect }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')

    await meet(
      fetchq,
      connect,
      `select fetchq.doc_complete('q1', 'a')`,
      `delete from fetchq_data.q1__docs where subject = 'a'`,
    )

    expect(await fetchq.counters('q1')).toEqual({ ent: 1, pkd: 1, prc: 1 })
  })

  test('that is promoted while it is deleted by hand is counted once', async ({
    fetchq,
    connect,
  }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.doc_push('q1', 'a', '{}', now() + interval '1 hour')`)
    await fetchq.pass('2 hours')

    await meet(
      fetchq,
      connect,
      `select fetchq.mnt_make_pending('q1', 10)`,
      `delete from fetchq_data.q1__docs where subject = 'a'`,
    )

    expect(await fetchq.counters('q1')).toEqual({ ent: 1 })
  })
})

describe('counting anew', () => {
  test('counts nothing twice that is packed at the moment', async ({ fetchq, connect }) => {
    await fetchq.queue('q1', 'a', 'b')

    await meet(
      fetchq,
      connect,
      'select fetchq.metric_log_pack()',
      `select fetchq.metric_reset('q1')`,
    )

    expect(await fetchq.counters('q1')).toEqual({ cnt: 2, pnd: 2 })
  })

  test('lets packers pass, who find the rest afterwards', async ({ fetchq, connect }) => {
    await fetchq.queue('q1', 'a')
    const [one, other] = [await connect(), await connect()]
    await one.rows('begin')
    await one.rows(`select fetchq.metric_reset('q1')`)
    await other.rows(`select fetchq.doc_push('q1', 'b')`)

    expect(await other.value('select fetchq.metric_log_pack()')).toBe(0)
    await one.rows('commit')

    expect(await fetchq.counters('q1')).toEqual({ ent: 1, cnt: 2, v0: 1, pnd: 2 })
  })

  test('meets documents that come and go, and is right in the end', async ({ fetchq, connect }) => {
    await fetchq.queue('q1')
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect()))
    const [resetting, ...working] = clients
    let isOver = false as boolean

    const resets = (async () => {
      while (!isOver) await resetting?.rows(`select fetchq.metric_reset('q1')`)
    })()
    await Promise.all(
      working.map(async (client, who) => {
        for (let n = 0; n < 25; n += 1) {
          await client.rows(`select fetchq.doc_push('q1', $1)`, `${who}-${n}`)
          const subject = await client.pick('q1')
          if (n % 2 === 0) await client.rows(`select fetchq.doc_complete('q1', $1)`, subject)
          await client.rows('select fetchq.metric_log_pack()')
        }
      }),
    )
    isOver = true
    await resets

    const { cnt, pnd, act, cpl } = await fetchq.counters('q1')
    const counted = await fetchq.row(`select cnt, pnd, act, cpl from fetchq.metric_compute('q1')`)
    expect({ cnt, pnd: pnd ?? 0, act, cpl }).toEqual(counted)
  })
})

describe('a queue that is dropped', () => {
  const drop = `select was_dropped from fetchq.queue_drop('q1')`
  const later = `now() + interval '1 hour'`
  const ways = {
    push: `select fetchq.doc_push('q1', 'new')`,
    'push for later': `select fetchq.doc_push('q1', 'new', '{}', ${later})`,
    'push in bulk': `select fetchq.doc_push('q1', 0, now(), '(''new'', 0, ''{}'', {DATA})')`,
    push_many: `select was_queued from fetchq.doc_push_many('q1', '[{"subject": "new"}]')`,
    append: `select fetchq.doc_append('q1', '{}')`,
    upsert: `select queued_docs from fetchq.doc_upsert('q1', 'new', 0, 0, now(), '{}')`,
    play,
    log: `select fetchq.log_error('q1', 'a', 'm', '{}')`,
  }
  const names = Object.keys(ways) as (keyof typeof ways)[]

  test.for(names)(
    'waits for what is put in, and leaves none of it: %s',
    async (name, { fetchq, connect }) => {
      await kill(fetchq)

      expect(await meet(fetchq, connect, ways[name], drop)).toBe(true)

      expect(await fetchq.engine.rows('select from task')).toEqual([])
      for (const table of ['planned', 'rounds', 'metrics_writes', 'doc_logs'])
        expect(await fetchq.rows(`select * from fetchq.${table}`)).toEqual([])
    },
  )

  test.for(names)('takes nothing more: %s', async (name, { fetchq, connect }) => {
    await kill(fetchq)

    const answer = await meet(fetchq, connect, drop, ways[name]).catch((error) => error.code)

    expect(answer).toBeOneOf([0, false, null, 'TK004'])
    expect(await fetchq.engine.rows('select from task')).toEqual([])
    expect(await fetchq.rows('select * from fetchq.doc_logs')).toEqual([])
  })

  test('is dropped once', async ({ fetchq, connect }) => {
    await fetchq.queue('q1')

    expect(await meet(fetchq, connect, drop, drop)).toBe(false)
  })
})

describe('a queue', () => {
  test('is dropped and truncated while its maintenance runs, and neither waits for ever', async ({
    fetchq,
    connect,
  }) => {
    const [keeper, operator] = [await connect(), await connect()]
    for (let n = 0; n < 10; n += 1) {
      await fetchq.queue('q1', 'a', 'b')
      await fetchq.rows(`select fetchq.log_error('q1', 'a', 'm', '{}')`)
      await fetchq.pass('2 days')

      await Promise.all([
        keeper.rows('select fetchq.mnt()'),
        operator.rows(
          n % 2 === 0
            ? `select fetchq.queue_truncate('q1', true)`
            : `select fetchq.queue_drop('q1')`,
        ),
      ])
    }

    expect(await fetchq.rows('select * from fetchq.queues')).toEqual([])
    await fetchq.queue('q1', 'a')
    expect(await fetchq.pick('q1')).toBe('a')
  })
})
