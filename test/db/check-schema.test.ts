import { describe, expect } from 'vitest'
import { checkSchema } from '../../src/db/installed.ts'
import { test as engineTest } from '../support/engine.ts'
import { type TestSchema, test } from '../support/schema.ts'
import { baseline, first, second } from '../support/versions.ts'

function check(schema: TestSchema): Promise<string> {
  return checkSchema(schema.db, schema.name, schema.options.directory)
}

describe('a worker that starts', () => {
  engineTest('finds the engine ready', async ({ db, schema }) => {
    expect(await checkSchema(db, schema)).toBe('ready')
  })

  test('finds nothing where nothing is installed', async ({ schema }) => {
    await schema.release(first)

    expect(await check(schema)).toBe('missing')
  })

  test('finds a schema behind that lacks one of its migrations', async ({ schema }) => {
    await schema.upgrade(first)
    await schema.release(second)

    expect(await check(schema)).toBe('behind')
  })

  test('works with a newer schema that breaks nothing', async ({ schema }) => {
    const { 'verbs/note_total.sql': _, ...rest } = second
    await schema.upgrade({ ...first, ...rest, 'grants.sql': '' })
    await schema.release(first)

    expect(await check(schema)).toBe('ready')
  })

  test('refuses a newer schema whose migration breaks older workers', async ({ schema }) => {
    const breaking = `--! breaking\n${second['migrations/0002_authors.sql']}`
    await schema.upgrade({ ...second, 'migrations/0002_authors.sql': breaking })
    await schema.release(first)

    await expect(check(schema)).rejects.toMatchObject({
      code: 'schema_newer',
      message: expect.stringContaining('migrations/0002_authors.sql'),
    })
  })

  test('finds a schema behind that lacks a file of the baseline', async ({ schema }) => {
    await schema.upgrade(baseline)
    await schema.release({ ...baseline, 'schema/others.sql': 'create table others ();' })

    expect(await check(schema)).toBe('behind')
  })
})
