import { describe, expect } from 'vitest'
import { test } from '../../support/fetchq.ts'

// Any login of the database can take any advisory lock, and see in pg_locks which are in use.

describe('advisory locks that another login keeps', () => {
  test('hold up no push, pick, count or change of a queue', async ({
    fetchq,
    connect,
    schemas,
  }) => {
    await fetchq.queue('mail')
    const stranger = await connect()
    await stranger.rows(
      'select pg_advisory_lock(hashtext($1), hashtext($2))',
      schemas.dialect,
      'mail',
    )
    for (const name of ['books', 'queue mail', 'queue letters']) {
      await stranger.rows(
        `select pg_advisory_lock(hashtextextended($1, 0))`,
        `${schemas.dialect} ${name}`,
      )
    }
    const client = await connect()
    await client.rows(`set lock_timeout = '5s'`)

    expect(await client.value(`select fetchq.doc_push('mail', 'ada')`)).toBe(1)
    expect(await client.pick('mail')).toBe('ada')
    expect(await client.value('select fetchq.metric_log_pack()')).toBeGreaterThan(0)
    await client.rows(`select fetchq.metric_reset('mail')`)
    expect(await client.row(`select was_created from fetchq.queue_create('letters')`)).toEqual({
      was_created: true,
    })
    expect(await client.row(`select was_dropped from fetchq.queue_drop('mail')`)).toEqual({
      was_dropped: true,
    })
  })
})
