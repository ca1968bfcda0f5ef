import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { test } from '../support/client.ts'
import { range } from '../support/crowd.ts'
import { openProxy } from '../support/proxy.ts'

const limit = 60_000

describe('a database that falls silent', () => {
  test('rejects an enqueue as unknown, and a retry with its key makes no second task', {
    timeout: limit,
  }, async ({ open, engine }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const tusk = await open({ database: proxy.url })
    await tusk.enqueueTask({ queue: 'mail', key: 'warm' })

    proxy.forget()
    await expect(tusk.enqueueTask({ queue: 'mail', key: 'a' })).rejects.toMatchObject({
      code: 'outcome_unknown',
      // The server was asked; the time limit alone would say so after half a minute.
      cause: { message: expect.stringMatching(/fell silent: .* and its process is/) },
    })
    await tusk.enqueueTask({ queue: 'mail', key: 'a' })

    expect(await engine.rows(`select from tasks where key = 'a'`)).toHaveLength(1)
    await tusk.close()
    await proxy.close()
  })

  test('rejects an enqueue through a pool of the application after queryTimeoutMs', {
    timeout: limit,
  }, async ({ open }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const pool = new pg.Pool({ connectionString: proxy.url })
    pool.on('error', () => {})
    const tusk = await open({ database: pool, queryTimeoutMs: 1_000 })
    await tusk.enqueueTask({ queue: 'mail' })

    proxy.forget()
    await expect(tusk.enqueueTask({ queue: 'mail' })).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await expect(tusk.enqueueTask({ queue: 'mail' })).resolves.toMatchObject({ outcome: 'created' })
    await tusk.close()
    await pool.end()
    await proxy.close()
  })

  test.for([-1, Number.NaN, 2 ** 31])(
    'cannot be waited for %s ms',
    async (queryTimeoutMs, { open }) => {
      await expect(open({ queryTimeoutMs })).rejects.toMatchObject({
        code: 'invalid_argument',
        message: /queryTimeoutMs/,
      })
    },
  )
})

describe('a primary that was demoted with its connections open', () => {
  /** Idle connections that lead to a server which takes no writes. */
  async function demote(pool: pg.Pool, count: number): Promise<void> {
    const clients = await Promise.all(range(count).map(() => pool.connect()))
    for (const client of clients) await client.query('set default_transaction_read_only = on')
    for (const client of clients) client.release()
  }

  test('is left for a new connection, and the task is stored once', async ({ open, engine }) => {
    const tusk = await open()
    await demote(tusk.pool, 3)

    await tusk.enqueueTask({ queue: 'mail' })

    expect(await engine.rows('select from tasks')).toHaveLength(1)
  })

  test('is left by a pool of the application, and by every other call', async ({
    open,
    engine,
  }) => {
    const pool = new pg.Pool({ connectionString: inject('pgUrl') })
    const tusk = await open({ database: pool })
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    await demote(pool, 3)

    await tusk.tasks.cancel(id)

    expect(await engine.rows('select from tasks')).toHaveLength(0)
    await tusk.close()
    await pool.end()
  })

  test('is reported with a code of its own when there is no other server', async ({
    open,
    engine,
  }) => {
    const pool = new pg.Pool({
      connectionString: inject('pgUrl'),
      options: '-c default_transaction_read_only=on',
    })
    const tusk = await open({ database: pool })

    await expect(tusk.enqueueTask({ queue: 'mail' })).rejects.toMatchObject({
      code: 'database_read_only',
      hint: expect.stringContaining('target_session_attrs'),
    })

    expect(await engine.rows('select from tasks')).toHaveLength(0)
    await tusk.close()
    await pool.end()
  })
})
