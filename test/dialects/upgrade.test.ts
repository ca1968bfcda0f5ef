import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { test } from '../support/engine.ts'

describe('an upgrade of the engine', () => {
  test.for([
    ['fetchq', `select :d.queue_create('mail')`],
    ['pg-task', `select :d.create_task_table(':d_tables')`],
    ['pg-background', `select :d.pg_background_set_topic('mail', '{}')`],
  ] as const)('replaces its functions and views beneath %s', async ([dialect, use], { db }) => {
    const engineSchema = `engine_${randomBytes(4).toString('hex')}`
    const schema = `over_${engineSchema}`
    await migrate(db, { schema: engineSchema, roles: false })
    await installDialect(db, { dialect, schema, engineSchema })
    await db.query(use.replaceAll(':d', schema))
    // As if every function and view had another text in this version.
    await db.query(
      `update ${engineSchema}.installed set hash = 'of another version' where path !~ '^(schema|migrations)/'`,
    )

    const { applied } = await migrate(db, { schema: engineSchema, roles: false })

    expect(applied).toEqual(
      expect.arrayContaining(['core/dialect_views.sql', 'core/hooks.sql', 'views/tasks.sql']),
    )
    for (const name of [engineSchema, schema, `${schema}_data`, `${schema}_tables`])
      await db.query(`drop schema if exists ${name} cascade`)
  })
})
