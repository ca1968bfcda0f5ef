import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { type MigrateOptions, migrate, migrationSql } from '../../src/db/migrate.ts'
import { describeSchema } from '../support/catalog.ts'
import { testRoles } from '../support/engine.ts'
import { type TestSchema, test } from '../support/schema.ts'
import { first, second } from '../support/versions.ts'

/** The SQL of earlier releases, one folder each. */
const released = fileURLToPath(new URL('./released/', import.meta.url))

function describeOf(schema: TestSchema): Promise<string[]> {
  return describeSchema(schema.db, { schema: schema.name, roles: testRoles })
}

describe('an upgraded schema', () => {
  test('equals a fresh one', async ({ schema, newSchema }) => {
    const fresh = await newSchema()
    await fresh.upgrade(second, { roles: testRoles })

    await schema.upgrade(first, { roles: testRoles })
    expect(await describeOf(schema)).not.toEqual(await describeOf(fresh))
    await schema.upgrade(second, { roles: testRoles })

    expect(await describeOf(schema)).toEqual(await describeOf(fresh))
  })

  test.for(releases())('from %s equals a fresh one', async (release, { schema, newSchema }) => {
    const fresh = await newSchema()
    const current: MigrateOptions = { roles: testRoles }
    await migrate(schema.db, {
      ...current,
      schema: schema.name,
      directory: `${released}${release}`,
    })

    await migrate(schema.db, { ...current, schema: schema.name })
    await migrate(fresh.db, { ...current, schema: fresh.name })

    expect(await describeOf(schema)).toEqual(await describeOf(fresh))
  })
})

describe('the script for psql', () => {
  test('installs the engine as migrate does', async ({ db, schema, newSchema }) => {
    const byHand = await newSchema()
    await migrate(db, { schema: schema.name, roles: testRoles })

    await db.query(await migrationSql({ schema: byHand.name, roles: testRoles }))

    expect(await describeOf(byHand)).toEqual(await describeOf(schema))
  })
})

function releases(): string[] {
  try {
    return readdirSync(released)
  } catch {
    return []
  }
}
