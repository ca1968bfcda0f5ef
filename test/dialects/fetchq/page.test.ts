import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDialect } from '../../support/fetchq-databases.ts'
import { psql } from '../../support/psql.ts'

test('the page of the dialect is a session in psql, answer by answer', async () => {
  const page = await readFile(new URL('../../../docs/dialects/fetchq.md', import.meta.url), 'utf8')
  const blocks = page.matchAll(/```sql\n((?:(?!```)[\s\S])*)```\s*```\n([\s\S]*?)```/g)
  const database = await openDialect()
  const client = new pg.Client(database.url)
  await client.connect()

  for (const [, statements = '', answer = ''] of blocks) {
    const said = await psql(client, statements)
    expect(said.trimEnd(), statements).toBe(answer.trimEnd())
  }

  await client.end()
  await database.drop()
})
