import { describe, expect, inject } from 'vitest'
import { tusk } from '../support/cli.ts'
import { test } from '../support/dialect.ts'

const env = () => ({ DATABASE_URL: inject('pgUrl') })

describe('tusk dialect', () => {
  test('install lists the files as data and sums up as talk', async ({ schema, newDialect }) => {
    const { schema: name } = await newDialect()
    const args = ['dialect', 'install', 'fetchq', '--dialect-schema', name, '--schema', schema]

    const { code, data, talk } = await tusk(args, env())
    const again = await tusk(args, env())

    expect(code).toBe(0)
    expect(JSON.parse(data)[0]).toEqual({ path: 'schema/installed_dialect.sql' })
    expect(talk).toContain(`Dialect fetchq in schema ${name} over ${schema} at `)
    expect(again).toMatchObject({ data: '[]\n', talk: expect.stringMatching(/is up to date\.\n$/) })
  })

  test('install takes the schema of the engine from TUSK_SCHEMA', async () => {
    const { code, talk } = await tusk(['dialect', 'install', 'fetchq'], {
      ...env(),
      TUSK_SCHEMA: 'nowhere',
    })

    expect(code).not.toBe(0)
    expect(talk).toMatch(/Tusk is not installed in the schema "nowhere"\n.*tusk migrate up/)
  })

  test('install names the dialects there are', async () => {
    const { code, talk } = await tusk(['dialect', 'install', 'celery'], env())

    expect(code).not.toBe(0)
    expect(talk).toMatch(/there is no dialect "celery"\n.*fetchq/)
  })

  test('install says that task-server is there already', async () => {
    const { code, talk } = await tusk(['dialect', 'install', 'task_server'], env())

    expect(code).not.toBe(0)
    expect(talk).toMatch(/the dialect task-server needs no installation\n.*tusk serve/)
  })

  test('install refuses a task table of a dialect that has none', async () => {
    const { code, data, talk } = await tusk(['dialect', 'install', 'fetchq', '--table', 'a'], env())

    expect({ code, data }).toEqual({ code: 2, data: '' })
    expect(talk).toContain('--table is for pg-task')
  })

  test('list tells which are installed, and which could be', async ({ schema, newDialect }) => {
    const { schema: name } = await newDialect()
    await tusk(
      ['dialect', 'install', 'fetchq', '--dialect-schema', name, '--schema', schema],
      env(),
    )

    const { data } = await tusk(['dialect', 'list'], env())

    const row = { name: 'fetchq', state: 'current', schema: name, engine_schema: schema }
    expect(JSON.parse(data)).toContainEqual(row)
    const builtIn = { name: 'task-server', state: 'built in', schema: null, engine_schema: null }
    expect(JSON.parse(data)).toContainEqual(builtIn)
  })

  test('install of pg-task makes the task table that is named', async ({
    schema,
    newDialect,
    db,
  }) => {
    const { schema: name } = await newDialect()
    const args = ['--dialect-schema', name, '--schema', schema, '--table', `${name}_tables.jobs`]

    const { code, talk } = await tusk(['dialect', 'install', 'pg-task', ...args], env())

    expect(code).toBe(0)
    expect(talk).toContain(`the queue pg_task:${name}_tables.jobs`)
    await db.query(`insert into ${name}_tables.jobs (input) values ('select 1')`)
    await db.query(`drop schema ${name}_tables cascade`)
  })
})
