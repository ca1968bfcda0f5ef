import type pg from 'pg'
import { expect } from 'vitest'
import { readCodeBlocks, reasonOf } from '../support/code-blocks.ts'
import { test, testRoles } from '../support/engine.ts'
import { sessionPages } from '../support/session-pages.ts'

// The sessions, the first look of the README and the examples of the reference have tests of their own.
const elsewhere = new Set(['README.md', ...sessionPages])
const blocks = (await readCodeBlocks()).filter(
  (block) =>
    block.language === 'sql' &&
    !elsewhere.has(block.page) &&
    !block.page.startsWith('docs/reference/sql/') &&
    // Written in another dialect, which the engine alone does not have; test/dialects tests those.
    !block.page.startsWith('docs/dialects/') &&
    reasonOf(block) === undefined,
)

test('the SQL of pages that do not show a session runs', async ({ db: _, schema, connect }) => {
  const client = await connect()
  const ids = await furnish(client)
  const faults: string[] = []

  for (const { page, line, text } of blocks) {
    const ours = text
      .replaceAll(/\b(42|4711|81|82)\b/g, (name) => ids.get(name) ?? name)
      .replaceAll(/tusk\.(?!caller)/g, `${schema}.`)
      .replaceAll(/tusk_(?=producer|worker|operator|admin)/g, `${testRoles}_`)
      // What the page begins and commits is part of this test's transaction.
      .replaceAll(/^(begin|commit);$/gm, '')
    await client.query('savepoint furnished')
    await client
      .query(ours)
      .catch((error: Error) => faults.push(`${page}:${line}: ${error.message}`))
    await client.query('rollback to furnished')
  }

  expect(faults).toEqual([])
  expect(blocks.length).toBeGreaterThan(15)
})

/** Begins a transaction, and in it what the pages speak of. Gives the ids of the tasks that they name. */
async function furnish(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`
    begin;
    create table accounts (id integer, is_on boolean, balance integer);
    create table orders (id integer);
    select set_statement('switch_on', '{"sql": "update accounts set is_on = true where id = $1", "params": ["account"]}');
    select set_connection('reports', '{"host": "reports.example.org", "dbname": "reports", "user": "tusk",
      "secret": {"env": "TUSK_SECRET_REPORTS"}}')`)
  const { rows } = await client.query<{ id: string }>(`
    select id from enqueue('mail', '{}', p_max_attempts => 1)
    union all select id from enqueue('pages') union all select id from enqueue('pages')`)
  await client.query(`select fail(id, claim, '{"message": "mailbox full"}') from claim('mail')`)
  const [failed = '', one = '', other = ''] = rows.map(({ id }) => id)
  return new Map([
    ['42', failed],
    ['4711', one],
    ['81', one],
    ['82', other],
  ])
}
