import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { readCodeBlocks, reasonOf } from '../support/code-blocks.ts'
import { test, testRoles } from '../support/engine.ts'
import { psql } from '../support/psql.ts'
import { sessionPages } from '../support/session-pages.ts'

const blocks = await readCodeBlocks()

test.for(sessionPages)(
  'answers the psql session of %s as the page says',
  async (path, { db, schema }) => {
    const session = blocks.filter(
      (block) => block.page === path && block.language === 'sql' && reasonOf(block) === undefined,
    )
    const client = await db.connect()

    try {
      expect(session.some(({ answer }) => answer !== undefined)).toBe(true)
      for (const { text, answer } of session) {
        // Settings are named alike in every schema.
        const ours = text
          .replaceAll(/tusk\.(?!caller)/g, `${schema}.`)
          .replaceAll(/tusk_(?=producer|worker|operator|admin)/g, `${testRoles}_`)
        const said = trimmed(await psql(client, ours)).replaceAll(`${testRoles}_`, 'tusk_')
        if (answer === undefined) expect(said, text).not.toMatch(/^ERROR/)
        else expect(said, text).toBe(trimmed(answer))
      }
    } finally {
      client.release()
    }
  },
)

test('the first look of the README runs as it stands', async ({ db, schema }) => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const [, look = ''] = /## A first look[\s\S]*?```sql\n([\s\S]*?)```/.exec(readme) ?? []
  const client = await db.connect()

  try {
    // A reader who did what `npm start` says to try has tasks and claims already.
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

function trimmed(text: string): string {
  return text.trimEnd().replaceAll(/ +$/gm, '')
}
