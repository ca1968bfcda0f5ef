import { describe, expect } from 'vitest'
import { openEngine } from '../../src/engine/verbs.ts'
import { test } from '../support/engine.ts'
import { until } from '../support/until.ts'

describe('lost_holders()', () => {
  test('finds the session that completed a task and did not commit, once the lease is over', async ({
    engine,
    connect,
    schema,
  }) => {
    await engine.enqueue({ queue: 'mail' })
    const claim = await engine.claimOne('mail', { lease: '2 seconds' })
    const client = await connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await client.query('begin')
    await client.query(`select ${schema}.complete($1, $2, null)`, [claim.id, claim.claim])
    const holders = () => engine.rows(`select pid, tasks::int from lost_holders('0')`)

    await until(async () => (await holders()).length > 0)
    const found = await holders()
    await client.query('rollback')

    expect(found).toEqual([{ pid: rows[0]?.pid, tasks: 1 }])
    expect(await holders()).toEqual([])
  })

  test('leaves sessions alone that are not workers of ours', async ({
    engine,
    connect,
    schema,
    db,
  }) => {
    await engine.enqueue({ queue: 'mail' })
    const claim = await engine.claimOne('mail', { lease: '2 seconds' })
    const client = await connect()
    await client.query('begin')
    await client.query(`select ${schema}.complete($1, $2, null)`, [claim.id, claim.claim])
    await until(() => engine.value(`select exists (select from lost_holders('0'))`))

    expect(await openEngine({ schema }).endLostHolders(db, '0')).toEqual([])

    await client.query('rollback')
  })
})
