import type pg from 'pg'
import { expect } from 'vitest'
import { readExamples } from '../../build/reference/read-examples.ts'
import { test, testRoles } from '../support/engine.ts'

const examples = [...readExamples()]

test('the examples of the SQL reference run', async ({ db: _, schema, connect }) => {
  const client = await connect()
  const ids = await furnish(client)
  const faults: string[] = []

  for (const [verb, sql] of examples) {
    const ours = sql
      .replaceAll('tusk.', `${schema}.`)
      .replaceAll(/tusk_(?=producer|worker|operator|admin)/g, `${testRoles}_`)
      .replaceAll(/\b4[234]\b/g, (name) => ids.get(name) ?? name)
    await client.query('savepoint furnished')
    await client.query(ours).catch((error: Error) => faults.push(`${verb}: ${error.message}`))
    await client.query('rollback to furnished')
  }

  expect(faults).toEqual([])
  expect(examples.length).toBeGreaterThan(120)
})

/** Begins a transaction, and in it what the examples speak of. Gives the ids of tasks 42, 43 and 44. */
async function furnish(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`
    begin;
    create table payments (account_id integer, is_settled boolean not null default false);
    select set_schedule('report', '{"task": {"queue": "reports"}, "cron": "30 2 * * *"}');
    select register_worker('w-1', '{mail}', 4, 'host-7', 4711, '1.0');
    select register_chores('w-1', '[{"name": "tidy_shelves", "strategy": "lease", "every": "1 minute",
      "timeout": "30 seconds", "ttl": "10 seconds"}]');
    select lead_chores('w-1', '{tidy_shelves}', '{null}')`)
  const { rows } = await client.query<{ id: string }>(`
    select id from enqueue('mail', '{"to": "bob"}', p_max_attempts => 1)
    union all select id from enqueue('reports')`)
  const [failed = '', done = ''] = rows.map(({ id }) => id)
  await client.query(`select fail(id, claim, '{"message": "mailbox full"}') from claim('mail')`)
  await client.query(`select complete(id, claim, '{"pages": 7}') from claim('reports')`)
  const waiting = await client.query<{ id: string }>(
    `select id from enqueue('mail', '{"to": "ada"}', p_key => 'ada')`,
  )
  return new Map([
    ['42', waiting.rows[0]?.id ?? ''],
    ['43', failed],
    ['44', done],
  ])
}
