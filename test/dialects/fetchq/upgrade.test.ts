import { describe, expect } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { installDialect } from '../../../src/dialects/install-dialect.ts'
import { testRoles } from '../../support/engine.ts'
import { test } from '../../support/fetchq.ts'

describe('an upgrade', () => {
  test('of engine and dialect leaves queues and documents as they are', async ({
    fetchq,
    db,
    schemas,
  }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.rows(`select fetchq.doc_push('q1', 'later', '{}', now() + interval '1 hour')`)
    const before = await fetchq.rows('select * from fetchq_data.q1__docs order by subject')
    // As if every function, view and trigger had another text in this version.
    for (const schema of [schemas.engine, schemas.dialect])
      await db.query(
        `update ${schema}.installed set hash = 'of another version' where not path ^@ 'schema/'`,
      )

    await migrate(db, { schema: schemas.engine, roles: testRoles })
    const { applied } = await installDialect(db, {
      dialect: 'fetchq',
      schema: schemas.dialect,
      engineSchema: schemas.engine,
    })

    expect(applied).toContain('views/document.sql')
    expect(await fetchq.rows('select * from fetchq_data.q1__docs order by subject')).toEqual(before)
    expect(await fetchq.pick('q1')).toBe('a')
  })
})
