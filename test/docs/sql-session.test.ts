import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { test, testRoles } from '../support/engine.ts'
import { psql } from '../support/psql.ts'

interface Step {
  readonly statements: string
  readonly answer: string
}

test.for([
  'start/sql.md',
  'learn/documents.md',
  'learn/schedules.md',
  'learn/leadership.md',
  'learn/retries.md',
  'learn/limits.md',
  'learn/keys.md',
  'learn/retention.md',
  'learn/access.md',
  'how-to/multi-tenancy.md',
])('answers the psql session of %s as the page says', async (path, { db, schema }) => {
  const page = await readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8')
  const client = await db.connect()

  try {
    for (const { statements, answer } of steps(page)) {
      // Settings are named alike in every schema.
      const ours = statements
        .replaceAll(/tusk\.(?!caller)/g, `${schema}.`)
        .replaceAll(/tusk_(?=producer|worker|operator|admin)/g, `${testRoles}_`)
      const said = await psql(client, ours)
      expect(trimmed(said), statements).toBe(trimmed(answer))
    }
  } finally {
    client.release()
  }
})

test('the first look of the README runs as it stands', async ({ db, schema }) => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const [, look = ''] = /## A first look[\s\S]*?```sql\n([\s\S]*?)```/.exec(readme) ?? []
  const client = await db.connect()

  try {
    // Whoever did what `npm start` says to try has tasks and claims already.
    await client.query(`select ${schema}.enqueue('mail'), ${schema}.enqueue('other')`)
    await client.query(`select id from ${schema}.claim('other', 1)`)
    const statements = look.split(/(?<=;)\n/).filter((text) => text.trim() !== '')
    expect(statements.length).toBeGreaterThan(8)
    for (const statement of statements) {
      const said = await psql(client, statement.replaceAll('tusk.', `${schema}.`))
      expect(said, statement).not.toMatch(/^ERROR/)
    }
    const { rows } = await client.query(
      `select state = 'done' as is_done, attempts.reason from ${schema}.task left join ${schema}.attempts on task = id
       where queue = 'mail' and task.attempt > 0 order by id`,
    )
    expect(rows).toEqual([
      { is_done: true, reason: null },
      { is_done: false, reason: 'error' },
    ])
  } finally {
    client.release()
  }
})

/** Every block of SQL with the block of text that follows it. */
function steps(page: string): Step[] {
  const blocks = page.matchAll(/```sql\n((?:(?!```)[\s\S])*)```\s*```\n([\s\S]*?)```/g)
  return Array.from(blocks, ([, statements = '', answer = '']) => ({ statements, answer }))
}

function trimmed(text: string): string {
  return text.trimEnd().replaceAll(/ +$/gm, '')
}
