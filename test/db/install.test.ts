import { describe, expect } from 'vitest'
import { listMigrations, migrate, migrationSql } from '../../src/db/migrate.ts'
import { requireSchemaName } from '../../src/db/schema-name.ts'
import { readSqlFiles } from '../../src/db/sql-files.ts'
import { packagedSql } from '../../src/db/sql-source.ts'
import { describeSchema } from '../support/catalog.ts'
import { test } from '../support/schema.ts'
import { first, second } from '../support/versions.ts'

describe('a fresh install', () => {
  test('makes everything and reports it in order', async ({ schema }) => {
    const { applied, removed, notices } = await schema.upgrade(first)

    expect(applied).toEqual([
      'migrations/0001_notes.sql',
      'core/now_pinned.sql',
      'verbs/note.sql',
      'verbs/note_count.sql',
      'views/note_list.sql',
      'views/a_summary.sql',
      'triggers/notes_measured.sql',
      'grants.sql',
    ])
    expect({ removed, notices }).toEqual({ removed: [], notices: [] })
    await schema.query(`select :s.note('hello')`)
    expect(await schema.query('select text, size from :s.notes')).toEqual([
      { text: 'hello', size: 5 },
    ])
  })

  test('leaves nothing behind of the installing itself', async ({ db, schema }) => {
    await schema.upgrade(first)

    const facts = await describeSchema(db, { schema: schema.name, roles: 'none' })

    expect(facts.filter((fact) => /routine: .*(install_|grant_)/.test(fact))).toEqual([])
  })

  test('pins the schema, whatever the caller has in its search path', async ({ db, schema }) => {
    await schema.upgrade(first)
    const caller = await db.connect()

    await caller.query('begin; set local search_path = pg_temp')
    await caller.query('create temporary table notes (id bigint default -1, text text)')
    const { rows } = await caller.query(`select ${schema.name}.note('hello')`)
    await caller.query('rollback')
    caller.release()

    expect(rows).toEqual([{ note: '1' }])
  })

  test.for(['Upper Case', 'a"quote', "an'apostrophe", '$tusk$', 'ünïcödé', 'order', 'back\\slash'])(
    'works in a schema called %s',
    async (name, { newSchema }) => {
      const schema = await newSchema(`${name} ${process.pid}`)

      await schema.upgrade(first)
      await schema.upgrade(second)

      expect(await schema.value(`select :s.note('hello')`)).toBe('1')
      expect((await listMigrations(schema.db, schema.options)).map(({ state }) => state)).toEqual(
        Object.keys(second).map(() => 'applied'),
      )
    },
  )

  test.for(['public', 'pg_tusk', 'information_schema', '', 'x'.repeat(64)])(
    'is refused in a schema called "%s"',
    async (name, { db }) => {
      await expect(migrate(db, { schema: name })).rejects.toMatchObject({
        code: 'invalid_argument',
      })
    },
  )

  test('is refused where the name of a channel would become too long', async () => {
    const channels = (await readSqlFiles(packagedSql)).flatMap(({ text }) =>
      [...text.matchAll(/pg_notify\(current_schema\(\) \|\| '(:\w+)'/g)].map(
        ([, suffix = '']) => suffix,
      ),
    )
    const longest = 63 - Math.max(...channels.map((suffix) => suffix.length))

    expect(requireSchemaName('x'.repeat(longest))).toHaveLength(longest)
    expect(() => requireSchemaName('x'.repeat(longest + 1))).toThrow('cannot be a schema')
  })

  test('is refused with a role prefix that Postgres would cut short', async ({ db }) => {
    await expect(migrate(db, { schema: 'tusk', roles: 'x'.repeat(55) })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })

  test('names the file that fails, and leaves nothing', async ({ schema }) => {
    const broken = { ...first, 'verbs/note.sql': 'create or replace functoin note()' }

    await expect(schema.upgrade(broken)).rejects.toThrow('verbs/note.sql: syntax error')

    expect(await schema.value('select to_regnamespace($1)', [schema.name])).toBeNull()
  })

  test('says where no Postgres answers', async () => {
    await expect(migrate('postgres://ada:secret@127.0.0.1:1/x')).rejects.toMatchObject({
      code: 'database_unreachable',
      message: expect.not.stringContaining('secret'),
    })
  })
})

describe('a second run', () => {
  test('changes nothing', async ({ db, schema }) => {
    await schema.upgrade(first)
    const before = await describeSchema(db, { schema: schema.name, roles: 'none' })
    const versions = await schema.query('select path, xmin from :s.installed order by path')

    const report = await schema.upgrade(first)

    expect(report).toMatchObject({ applied: [], removed: [] })
    expect(await describeSchema(db, { schema: schema.name, roles: 'none' })).toEqual(before)
    expect(await schema.query('select path, xmin from :s.installed order by path')).toEqual(
      versions,
    )
  })

  test('does not mind other line ends', async ({ schema }) => {
    await schema.upgrade(first)

    const onWindows = Object.entries(first).map(([path, text]) => [
      path,
      text.replaceAll('\n', '\r\n'),
    ])
    const report = await schema.upgrade(Object.fromEntries(onWindows))

    expect(report.applied).toEqual([])
  })
})

describe('migrators at the same time', () => {
  test.for([2, 8])('%i of them install once', async (count, { schema }) => {
    await schema.release(first)

    const runs = Array.from({ length: count }, () => migrate(schema.db, schema.options))
    const reports = await Promise.all(runs)

    expect(reports.filter(({ applied }) => applied.length > 0)).toHaveLength(1)
    expect(await schema.value('select count(*)::int from :s.installed')).toBe(8)
  })

  test('of different schemas share their roles', async ({ db, newSchema }) => {
    const roles = `tusk_roles_${process.pid}`
    const schemas = await Promise.all(Array.from({ length: 6 }, () => newSchema()))
    for (const schema of schemas) await schema.release(first)

    const reports = await Promise.all(
      schemas.map((schema) => migrate(db, { ...schema.options, roles })),
    )

    expect(reports.flatMap(({ notices }) => notices)).toEqual([])
    for (const schema of schemas) await schema.drop()
    for (const role of ['admin', 'operator', 'worker', 'producer'])
      await db.query(`drop role ${roles}_${role}`)
  })
})

describe('the script for psql', () => {
  test('does what migrate does, for a new schema', async ({ db, schema, newSchema }) => {
    const byHand = await newSchema()
    await schema.upgrade(second)
    await byHand.release(second)

    await db.query(await migrationSql(byHand.options))

    expect(await describeSchema(db, { schema: byHand.name, roles: 'none' })).toEqual(
      await describeSchema(db, { schema: schema.name, roles: 'none' }),
    )
  })

  test('does what migrate does, for an older one, and again', async ({ db, schema, newSchema }) => {
    const byHand = await newSchema()
    await schema.upgrade(second)
    await byHand.upgrade(first)
    await byHand.release(second)

    await db.query(await migrationSql(byHand.options))
    await db.query(await migrationSql(byHand.options))

    expect(await describeSchema(db, { schema: byHand.name, roles: 'none' })).toEqual(
      await describeSchema(db, { schema: schema.name, roles: 'none' }),
    )
  })

  test('leaves the session as it was', async ({ db, schema }) => {
    const client = await db.connect()
    await schema.release(first)
    const { rows: before } = await client.query('show search_path')

    await client.query(await migrationSql(schema.options))

    expect((await client.query('show search_path')).rows).toEqual(before)
    client.release()
  })
})
