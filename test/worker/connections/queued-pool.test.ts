import { describe, expect, inject, test } from 'vitest'
import { QueuedPool } from '../../../src/worker/connections/queued-pool.ts'
import { signalled } from '../../support/worker.ts'

/** Enough to connect on a busy machine, and less than what others wait for here. */
const config = () => ({ connectionString: inject('pgUrl'), connectionTimeoutMillis: 4_000 })

describe('a connection that is lent', () => {
  test('is waited for longer than one may take to open', async () => {
    const pool = new QueuedPool(config, 1)

    const first = pool.lend((db) => db.query('select pg_sleep(4.5)'))
    const others = ['two', 'three'].map((word) =>
      pool.lend((db) => db.query('select $1 as word', [word])),
    )

    await first
    expect((await Promise.all(others)).map(({ rows }) => rows[0])).toEqual([
      { word: 'two' },
      { word: 'three' },
    ])
    await pool.close()
  })

  test('is cut when all is closed, and no caller gets one any more', async () => {
    const pool = new QueuedPool(config, 1)
    const begun = signalled()
    const endless = pool.lend(async (db) => {
      begun.resolve()
      return db.query('select pg_sleep(600)')
    })
    const waiting = pool.lend(async () => 'too late')
    const refused = [endless, waiting].map((lent) => expect(lent).rejects.toThrow(/connection/i))
    await begun.promise

    await pool.close()

    await Promise.all(refused)
    await expect(pool.lend(async () => 'too late')).rejects.toThrow('connection ended')
  })
})
