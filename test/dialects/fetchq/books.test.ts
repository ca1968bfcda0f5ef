import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test } from '../../support/fetchq.ts'
import { until } from '../../support/until.ts'

describe('the counters', () => {
  test('follow a document through its life', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a', 'b', 'c', 'd', 'e')
    await fetchq.rows(`select fetchq.doc_push('q1', 'later', '{}', now() + interval '1 hour')`)
    expect(await fetchq.counters('q1')).toEqual({ ent: 6, cnt: 6, v0: 6, pnd: 5, pln: 1 })

    await fetchq.rows(`select fetchq.doc_pick('q1', 5)`)
    expect(await fetchq.counters('q1')).toEqual({ ent: 6, cnt: 6, v0: 6, pln: 1, pkd: 5, act: 5 })

    await fetchq.rows(`select fetchq.doc_complete('q1', 'a'), fetchq.doc_kill('q1', 'b')`)
    await fetchq.rows(`select fetchq.doc_drop('q1', 'c'), fetchq.doc_reject('q1', 'd', 'no', '{}')`)
    await fetchq.rows(`select fetchq.doc_reschedule('q1', 'e', now() + interval '1 hour')`)
    expect(await fetchq.counters('q1')).toEqual({
      ent: 6,
      cnt: 5,
      v0: 5,
      pkd: 5,
      prc: 5,
      cpl: 1,
      kll: 1,
      drp: 1,
      rej: 1,
      err: 1,
      res: 1,
      pnd: 1,
      pln: 2,
    })

    await fetchq.pass('2 hours')
    await fetchq.rows(`select fetchq.doc_pick('q1', 10)`)
    expect(await fetchq.counters('q1')).toMatchObject({ act: 3, pkd: 8 })
    expect(await fetchq.row(`select * from fetchq.metric_compute('q1')`)).toEqual({
      cnt: 5,
      pln: 0,
      pnd: 0,
      act: 3,
      kll: 1,
      cpl: 1,
    })
  })

  test('are right whether maintenance or a worker of the engine rescues', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a', 'b')
    await fetchq.rows(`select fetchq.queue_set_max_attempts('q1', 2)`)
    await fetchq.rows(`select fetchq.doc_pick('q1', 0, 5, '1m')`)
    await fetchq.pass('2 minutes')
    await fetchq.engine.rescue()
    expect(await fetchq.counters('q1')).toMatchObject({ pnd: 2, orp: 2, err: 2 })

    await fetchq.rows(`select fetchq.doc_pick('q1', 0, 5, '1m')`)
    await fetchq.pass('2 minutes')
    await fetchq.rows(`select fetchq.mnt_mark_dead('q1', 100)`)

    expect(await fetchq.counters('q1')).toEqual({
      ent: 2,
      cnt: 2,
      v0: 2,
      pkd: 4,
      orp: 4,
      err: 4,
      kll: 2,
    })
  })

  test('stay exact with many packers at once', async ({ fetchq, connect }) => {
    await fetchq.queue('q1')
    const sessions = await Promise.all(Array.from({ length: 4 }, () => connect()))

    await Promise.all(
      sessions.map(async (session, who) => {
        for (let n = 0; n < 20; n += 1) {
          await session.rows(`select fetchq.doc_push('q1', $1)`, `${who}-${n}`)
          await session.rows('select fetchq.metric_log_pack()')
        }
      }),
    )

    expect(await fetchq.counters('q1')).toEqual({ ent: 80, cnt: 80, v0: 80, pnd: 80 })
  })

  test('are counted anew by a reset, active documents too', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a', 'b')
    await fetchq.pick('q1')

    await fetchq.rows(`select fetchq.metric_reset('q1')`)

    expect(await fetchq.counters('q1')).toEqual({ cnt: 2, pnd: 1, act: 1 })
    expect(await fetchq.value(`select current_value from fetchq.metric_get_total('cnt')`)).toBe(2)
  })

  test('larger than an integer do not fail', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.metric_set('q1', 'ent', 2147483647)`)
    await fetchq.rows(`select fetchq.doc_push('q1', 'a')`)

    expect((await fetchq.counters('q1'))['ent']).toBe(2147483648)
    expect(await fetchq.value(`select ent from fetchq.metric_get_common('q1')`)).toBe(2147483647)
  })
})

describe('retention', () => {
  test('purges completed and killed documents, with their subjects and counters', async ({
    fetchq,
  }) => {
    await fetchq.queue('q1', 'a', 'b', 'c')
    await fetchq.rows(`select fetchq.doc_pick('q1', 2)`)
    await fetchq.rows(`select fetchq.doc_complete('q1', 'a'), fetchq.doc_kill('q1', 'b')`)
    await fetchq.rows(`select fetchq.queue_set_docs_retention('q1', '30 days')`)

    await fetchq.rows('select fetchq.mnt()')
    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 3 })
    await fetchq.pass('31 days')
    await fetchq.rows('select fetchq.mnt()')

    expect(await fetchq.rows('select subject from fetchq_data.q1__docs')).toEqual([
      { subject: 'c' },
    ])
    expect(await fetchq.counters('q1')).toMatchObject({ cnt: 1, v0: 1, pnd: 1 })
    expect(await fetchq.value(`select fetchq.doc_push('q1', 'a')`)).toBe(1)
  })

  test('keeps documents for ever by default', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')
    await fetchq.rows(`select fetchq.doc_complete('q1', 'a')`)

    await fetchq.pass('400 days')
    await fetchq.rows('select fetchq.mnt()')
    await fetchq.engine.sweep()

    expect(await fetchq.value(`select fetchq.doc_push('q1', 'a')`)).toBe(0)
  })

  test('drops logs strictly older than the queue says', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.log_error('q1', 'a', 'old', '{}')`)
    await fetchq.pass('25 hours')
    await fetchq.rows(`select fetchq.log_error('q1', 'a', 'new', '{}')`)

    expect(await fetchq.value(`select fetchq.queue_drop_logs('q1')`)).toBe(1)
    expect(await fetchq.rows('select message from fetchq_data.q1__logs')).toEqual([
      { message: 'new' },
    ])
  })

  test('thins out snapshots of counters', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.rows('select fetchq.metric_log_pack()')
    for (const _ of [1, 2, 3]) await fetchq.rows(`select fetchq.metric_snap('q1', 'cnt')`)
    await fetchq.rows(
      `select fetchq.queue_set_metrics_retention('q1', '[{"from": "1h", "to": "0s", "retain": "hour"}]')`,
    )

    await fetchq.rows(`select fetchq.queue_drop_metrics('q1')`)

    const left = await fetchq.rows('select metric from fetchq_data.q1__metrics')
    expect(left.length).toBeLessThan(3)
    expect(left.length).toBeGreaterThan(0)
  })
})

describe('maintenance', () => {
  test('of a queue that fails does not stop the others', async ({ fetchq }) => {
    await fetchq.queue('bad')
    await fetchq.queue('good')
    await fetchq.rows(
      `update fetchq.jobs set settings = '{"limit": "many", "delay": "1s"}', next_iteration = now() - interval '1 hour'
       where queue = 'bad' and task = 'mnt'`,
    )
    await fetchq.rows(`select fetchq.doc_push('good', 'later', '{}', now() + interval '1m')`)
    await fetchq.pass('2 minutes')

    for (let run = 1; run <= 7; run += 1) {
      const ran = await fetchq.row('select * from fetchq.mnt_job_run(20)')
      expect(ran?.['processed']).toBeGreaterThan(0)
      await fetchq.rows(`update fetchq.jobs set next_iteration = now() - interval '1s'`)
    }

    expect(await fetchq.doc('good', 'later')).toMatchObject({ status: 1 })
    expect(
      await fetchq.rows(
        `select from fetchq.mnt_job_pick('1m', 50) where queue = 'bad' and task = 'mnt'`,
      ),
    ).toHaveLength(1)
  })

  test('makes documents pending strictly after their time', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.doc_push('q1', 'a', '{}', now() + interval '1 hour')`)

    expect(await fetchq.value(`select fetchq.mnt_make_pending('q1', 10)`)).toBe(0)
    await fetchq.pass('61 minutes')
    expect(await fetchq.value(`select fetchq.mnt_make_pending('q1', 10)`)).toBe(1)
    expect(await fetchq.value(`select fetchq.mnt_make_pending('q1', 10)`)).toBe(0)
  })
})

describe('notifications', () => {
  // Channels are named by the queue alone, and other files have queues in this database.
  const q = `q_${randomBytes(4).toString('hex')}`

  test('tell every transition of a queue that asked for them', async ({ fetchq, connect }) => {
    const heard: string[] = []
    const { client } = await connect()
    client.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`))
    for (const event of ['pln', 'pnd', 'act', 'cpl', 'kll'])
      await client.query(`listen fetchq__${q}__${event}`)
    await fetchq.queue(q, 'silent')
    await fetchq.rows('select fetchq.queue_enable_notify($1)', q)

    await fetchq.rows(`select fetchq.doc_push($1, 'a')`, q)
    await fetchq.rows(`select fetchq.doc_push($1, 'b', '{}', now() + interval '1 hour')`, q)
    await fetchq.rows('select fetchq.doc_pick($1, 2)', q)
    await fetchq.rows(`select fetchq.doc_complete($1, 'silent')`, q)
    await fetchq.rows(`select fetchq.doc_kill($1, 'a')`, q)

    await until(async () => heard.length >= 6)
    expect(heard).toEqual([
      `fetchq__${q}__pnd a`,
      `fetchq__${q}__pln b`,
      `fetchq__${q}__act silent`,
      `fetchq__${q}__act a`,
      `fetchq__${q}__cpl silent`,
      `fetchq__${q}__kll a`,
    ])
  })

  test('tell of queues made, changed and dropped', async ({ fetchq, connect }) => {
    const heard: string[] = []
    const { client } = await connect()
    client.on('notification', ({ channel, payload = '' }) => {
      if (payload.includes(q)) heard.push(channel)
    })
    await client.query(
      'listen fetchq_queue_create; listen fetchq_queue_drop; listen fetchq_on_change',
    )

    await fetchq.queue(q)
    await fetchq.rows(`update fetchq.queues set is_active = false`)
    await fetchq.rows('select fetchq.queue_drop($1)', q)

    await until(async () => heard.length >= 5)
    expect(heard).toEqual([
      'fetchq_on_change',
      'fetchq_queue_create',
      'fetchq_on_change',
      'fetchq_on_change',
      'fetchq_queue_drop',
    ])
  })
})

describe('the relation of a queue', () => {
  test('lets killed documents be set free by hand, as consoles do', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')
    await fetchq.rows(`select fetchq.doc_kill('q1', 'a')`)

    await fetchq.rows(
      `update fetchq_data.q1__docs set status = 1, attempts = 0, next_iteration = '0001-01-01' where subject = 'a'`,
    )

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 1, attempts: 0 })
    expect(await fetchq.pick('q1')).toBe('a')
  })

  test('lets a lock be ended, a payload be changed, documents be made and dropped', async ({
    fetchq,
  }) => {
    await fetchq.queue('q1', 'a', 'b')
    await fetchq.pick('q1')

    await fetchq.rows(`update fetchq_data.q1__docs set next_iteration = now() where subject = 'a'`)
    await fetchq.rows(`update fetchq_data.q1__docs set payload = '{"n": 1}' where subject = 'b'`)
    await fetchq.rows(`insert into fetchq_data.q1__docs (subject) values ('c')`)

    expect(await fetchq.value(`select fetchq.mnt_reschedule_orphans('q1', 10)`)).toBe(1)
    expect(await fetchq.doc('q1', 'b')).toMatchObject({ payload: { n: 1 } })
    await fetchq.rows(`delete from fetchq_data.q1__docs where subject in ('a', 'b')`)
    expect(await fetchq.rows('select subject from fetchq_data.q1__docs')).toEqual([
      { subject: 'c' },
    ])
    expect(await fetchq.counters('q1')).toMatchObject({ cnt: 1, v0: 1, pnd: 1 })
  })

  test('refuses what only actions may do', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')

    await expect(
      fetchq.rows(`update fetchq_data.q1__docs set status = 3 where subject = 'a'`),
    ).rejects.toMatchObject({ code: 'TK003' })
  })
})
