import { expect } from 'vitest'
import { test } from '../support/engine.ts'

const tables = ['steps', 'signals', 'awaits', 'chunks', 'wake_notes']

/** What a transaction did to the tables of durable tasks so far. */
const uses = `
  select relname as name, (seq_scan + coalesce(idx_scan, 0))::int as scans,
         (n_tup_ins + n_tup_upd + n_tup_del)::int as writes
  from pg_stat_xact_user_tables
  where schemaname = current_schema() and relname = any ($1) and
        seq_scan + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del > 0
  order by 1`

test('a task that uses nothing durable touches no table of durable tasks on its way', async ({
  engine,
  connect,
}) => {
  const client = await connect()
  const session = engine.on(client)
  await client.query('begin')
  for (let n = 0; n < 3; n++) {
    await session.rows(`select enqueue('mail', '{"n": 1}')`)
    await session.rows(
      `select complete_many(array_agg(id), array_agg(claim)) from claim('mail', 10) as taken`,
    )
    await session.rows(`select enqueue('mail', '{"n": 2}', p_max_attempts => 1)`)
    await session.rows(`select fail(id, claim, '{"code": "x"}') from claim('mail', 10) as taken`)
  }

  expect(await session.rows(uses, tables)).toEqual([])
  await session.rows(`select enqueue('mail')`)
  await session.rows(
    `select suspend(id, claim, '[{"kind": "delay", "name": "d", "for": "1 hour"}]') from claim('mail', 1) as taken`,
  )
  expect(await session.rows(uses, tables)).toMatchObject([{ name: 'steps', writes: 1 }])
  await client.query('rollback')
})
