import { describe, expect, inject } from 'vitest'
import { range } from '../support/crowd.ts'
import { openProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'
import { signalled, test } from '../support/worker.ts'

const limit = 120_000

describe('a worker whose connections fall silent', () => {
  test('goes on with new ones, and its group is not stuck behind a handler in a transaction', {
    timeout: limit,
  }, async ({ engine, work, allDone }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const inside = signalled()
    const silent = signalled()
    let isFirst = true
    await engine.enqueueMany(
      range(8).map((n) => ({ queue: 'mail', groups: ['all'], maxRunning: 1, payload: { n } })),
    )
    const worker = await work({
      database: proxy.url,
      leaseMs: 6_000,
      tasks: {
        mail: (payload, { transaction }) =>
          transaction(async (db) => {
            await db.query('select 1')
            if (isFirst) {
              isFirst = false
              inside.resolve()
              await silent.promise
            }
            await db.query('select 2')
            return (payload as { n: number }).n
          }),
      },
    })
    await inside.promise

    proxy.forget()
    silent.resolve()
    await allDone()

    expect(
      await engine.value(`select coalesce(sum(size), 0)::int from finished where state = 'done'`),
    ).toBe(8)
    await worker.stop({ deadlineMs: 0 })
    await proxy.close()
  })

  test('hears of new tasks again', { timeout: limit }, async ({ engine, work, allDone }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const worker = await work({ database: proxy.url, tasks: { mail: () => null } })
    await engine.enqueue({ queue: 'mail' })
    await allDone()

    proxy.forget()
    await engine.enqueue({ queue: 'mail' })
    await allDone()

    await worker.stop({ deadlineMs: 0 })
    await proxy.close()
  })
})

describe('a worker that vanishes inside a transaction', () => {
  test('is bounded by settings of its sessions', async ({ engine, work, allDone }) => {
    const shown: Record<string, unknown>[] = []
    await engine.enqueue({ queue: 'mail' })
    await work({
      leaseMs: 9_000,
      transactionIdleMs: 45_000,
      tasks: {
        mail: (_, { transaction }) =>
          transaction(async (db) => {
            const { rows } = await db.query(
              `select name, setting from pg_settings
               where name in ('idle_in_transaction_session_timeout', 'tcp_user_timeout', 'tcp_keepalives_idle')`,
            )
            shown.push(...rows)
            return null
          }),
      },
    })
    await allDone()

    expect(Object.fromEntries(shown.map(({ name, setting }) => [name, setting]))).toEqual({
      idle_in_transaction_session_timeout: '45000',
      tcp_user_timeout: '9000',
      tcp_keepalives_idle: '3',
    })
  })

  test('does not keep its task: its session is ended once the lease is over', {
    timeout: limit,
  }, async ({ engine, connect, schema, work, allDone, said }) => {
    await engine.enqueue({ queue: 'mail', groups: ['all'], maxRunning: 1 })
    await engine.enqueue({ queue: 'mail', groups: ['all'], maxRunning: 1 })
    const claim = await engine.claimOne('mail', { lease: '2 seconds' })
    const gone = await connect()
    gone.on('error', () => {})
    await gone.query(`set application_name = 'tusk worker'`)
    await gone.query('begin')
    await gone.query(`select ${schema}.complete($1, $2, null)`, [claim.id, claim.claim])

    await work({ leaseMs: 3_000, tasks: { mail: () => 'done' } })
    await until(async () => said.some((line) => line.includes('ended sessions of lost workers')))
    await allDone()

    expect(await engine.task(claim.id)).toMatchObject({ state: 'done', attempt: 2 })
  })
})
