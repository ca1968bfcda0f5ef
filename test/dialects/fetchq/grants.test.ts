import { describe, expect } from 'vitest'
import { test } from '../../support/fetchq.ts'
import { makeRole } from '../../support/roles.ts'

const role = 'grants_fetchq'

/** Calls that concern documents of the queue `foo`, as workers and producers make them. */
const calls = [
  `select fetchq.doc_push('foo', 'b')`,
  `select * from fetchq.doc_push_many('foo', '[{"subject": "b"}]')`,
  `select fetchq.doc_append('foo', '{}')`,
  `select fetchq.doc_upsert('foo', 'waiting', 0, 0, now(), '{}')`,
  `select fetchq.doc_pick('foo', 0, 1, '5m')`,
  `select fetchq.doc_pick('foo', 0, 2, '5m')`,
  `select fetchq.doc_extend('foo', 'held', '5m')`,
  `select fetchq.doc_complete('foo', 'held')`,
  `select fetchq.doc_reschedule('foo', 'held', now())`,
  `select fetchq.doc_reject('foo', 'held', 'no', '{}')`,
  `select fetchq.doc_kill('foo', 'held')`,
  `select fetchq.doc_drop('foo', 'held')`,
]

describe('a closed queue of Fetchq', () => {
  test('refuses documents to a role without a grant, and maintenance goes on', async ({
    fetchq,
    connect,
    db,
  }) => {
    await makeRole(db, role, 'operator')
    await fetchq.queue('foo', 'held')
    expect(await fetchq.pick('foo')).toBe('held')
    await fetchq.rows(`select fetchq.doc_push('foo', 'waiting')`)
    const me = await fetchq.engine.value<string>('select current_user::text')
    await fetchq.engine.grantQueue('foo', me, ['operate'])
    const other = await connect()
    await other.client.query(`set role ${role}`)

    for (const call of calls) {
      await expect(other.rows(call), call).rejects.toMatchObject({ code: 'TK013' })
    }
    await other.rows(`select fetchq.mnt()`)

    await fetchq.engine.grantQueue('foo', role, ['operate'])
    for (const call of calls) {
      await other.client.query('begin')
      await other.rows(call)
      await other.client.query('rollback')
    }
  })
})
