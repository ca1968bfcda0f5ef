import { randomBytes } from 'node:crypto'
import { describe, expect, inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { findDialect } from '../../src/dialects/dialects.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { listDialects } from '../../src/dialects/list-dialects.ts'
import { describeSchema } from '../support/catalog.ts'
import { test } from '../support/dialect.ts'
import { testRoles } from '../support/engine.ts'
import { until } from '../support/until.ts'

/** A dialect that speaks of errands, complete in kinds. */
const first = {
  'migrations/0001_errands.sql': 'create table errands (task bigint primary key);',
  'verbs/run_errand.sql': `
    create or replace function run_errand(p_what text) returns bigint language plpgsql
      security definer
      set search_path from current
    as $$
    declare v_id bigint;
    begin
      select id into v_id from enqueue('errands', to_jsonb(p_what));
      insert into errands values (v_id);
      return v_id;
    end $$;`,
  'views/errand.sql': 'create view errand as select task from errands;',
  'grants.sql': `
    select grant_verb('producer', 'run_errand');
    select grant_view('operator', 'errand');`,
}

const second = {
  ...first,
  'migrations/0002_notes.sql': 'alter table errands add column note text;',
  'verbs/run_errand.sql': first['verbs/run_errand.sql']
    .replace('p_what text', 'p_errand text')
    .replace('to_jsonb(p_what)', 'to_jsonb(p_errand)'),
  'views/errand.sql': 'create view errand as select task, note from errands;',
}

describe('a dialect', () => {
  test('is installed into a schema of its own, over the verbs of the engine', async ({
    engine,
    newDialect,
  }) => {
    const dialect = await newDialect()

    const report = await dialect.install(first)

    expect(report).toMatchObject({ dialect: 'made-up', schema: dialect.schema, removed: [] })
    expect(report.applied).toEqual([
      'schema/installed_dialect.sql',
      'migrations/0001_errands.sql',
      'verbs/run_errand.sql',
      'views/errand.sql',
      'grants.sql',
    ])
    const id = await dialect.value(`select :d.run_errand('buy milk')`)
    expect(await engine.claimOne('errands')).toMatchObject({ id, payload: 'buy milk' })
  })

  test('changes nothing when it is installed again', async ({ db, newDialect }) => {
    const dialect = await newDialect()
    await dialect.install(first)
    const before = await describeSchema(db, { schema: dialect.schema, roles: testRoles })

    const report = await dialect.install(first)

    expect(report).toMatchObject({ applied: [], removed: [] })
    expect(await describeSchema(db, { schema: dialect.schema, roles: testRoles })).toEqual(before)
  })

  test('is upgraded to what a fresh install would be', async ({ db, newDialect }) => {
    const [upgraded, fresh] = [await newDialect(), await newDialect()]
    await upgraded.install(first)

    await upgraded.install(second)
    await fresh.install(second)

    const facts = await describeSchema(db, { schema: upgraded.schema, roles: testRoles })
    expect(facts).toEqual(await describeSchema(db, { schema: fresh.schema, roles: testRoles }))
  })

  test('leaves the engine free to be migrated', async ({ db, schema, newDialect }) => {
    const dialect = await newDialect()
    await dialect.install(first)

    await expect(migrate(db, { schema, roles: testRoles })).resolves.toMatchObject({ applied: [] })
  })

  test.for(['Upper Case', 'a"quote', "an'apostrophe", 'order'])(
    'works in a schema called %s, over an engine in one like it',
    async (name, { db, newDialect }) => {
      const engineSchema = `${name} engine ${randomBytes(4).toString('hex')}`
      await migrate(db, { schema: engineSchema, roles: false })
      const dialect = await newDialect(`${name} ${randomBytes(4).toString('hex')}`)

      await dialect.install(first, { engineSchema })
      await dialect.install(second, { engineSchema })

      expect(await dialect.value(`select :d.run_errand('buy milk')`)).toBe('1')
      await dialect.drop()
      await db.query(`drop schema "${engineSchema.replaceAll('"', '""')}" cascade`)
    },
  )
})

describe('the rights of a dialect', () => {
  test('are those of the roles of its engine', async ({ db, newDialect }) => {
    const dialect = await newDialect()
    await dialect.install(first)
    const name = `${dialect.schema}.run_errand(text)`

    const may = async (role: string) =>
      (await db.query('select has_function_privilege($1, $2, $3) as may', [role, name, 'execute']))
        .rows[0].may

    expect(await may(`${testRoles}_producer`)).toBe(true)
    expect(await may(`${testRoles}_operator`)).toBe(true)
    expect(await may(`${testRoles}_worker`)).toBe(false)
  })

  test('let a producer call what it may not call in the engine itself', async ({
    db,
    connect,
    newDialect,
  }) => {
    const dialect = await newDialect()
    await dialect.install({
      ...first,
      'verbs/run_errand.sql': first['verbs/run_errand.sql'].replace(
        'return v_id;',
        `perform "delete"(v_id); return v_id;`,
      ),
    })
    const producer = await connect()
    await producer.query(`set role ${testRoles}_producer`)

    await producer.query(`select ${dialect.schema}.run_errand('buy milk')`)

    const { rows } = await db.query('select coalesce(sum(size), 0)::int as tasks from tasks')
    expect(rows).toEqual([{ tasks: 0 }])
  })

  test('are refused to a role that does not own the engine', async ({
    db,
    schema,
    connect,
    newDialect,
  }) => {
    const dialect = await newDialect()
    const stranger = `stranger_${randomBytes(4).toString('hex')}`
    await db.query(`create role ${stranger}; grant ${testRoles}_admin to ${stranger}`)
    const client = await connect()
    await client.query(`set role ${stranger}`)

    await expect(
      installDialect(client, { dialect: dialect.dialect, engineSchema: schema }),
    ).rejects.toMatchObject({ code: 'invalid_argument', hint: expect.stringContaining('rights') })

    await db.query(`drop role ${stranger}`)
  })
})

describe('installing a dialect is refused', () => {
  test('where no engine is', async ({ newDialect }) => {
    const dialect = await newDialect()

    await expect(dialect.install(first, { engineSchema: 'nowhere' })).rejects.toMatchObject({
      code: 'schema_missing',
      hint: expect.stringContaining('tusk migrate up'),
    })
    expect(await dialect.value(`select to_regnamespace(':d')`)).toBeNull()
  })

  test('over an engine of an older version', async ({ db, newDialect }) => {
    const dialect = await newDialect()
    const old = await newDialect()
    await db.query(
      `create schema ${old.schema};
       create table ${old.schema}.installed (path text, hash text, is_breaking boolean, applied_at timestamptz)`,
    )

    await expect(dialect.install(first, { engineSchema: old.schema })).rejects.toMatchObject({
      code: 'schema_behind',
    })
  })

  test('in the schema of the engine', async ({ schema, newDialect }) => {
    const dialect = await newDialect()

    await expect(dialect.install(first, { schema })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('that of the engine'),
    })
  })

  test('in a schema that holds something else', async ({ db, newDialect }) => {
    const dialect = await newDialect()
    await db.query(`create schema ${dialect.schema}; create table ${dialect.schema}.queues ()`)

    await expect(dialect.install(first)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('queues'),
    })
  })

  test('when the schema speaks it over another engine', async ({ db, newDialect }) => {
    const dialect = await newDialect()
    await dialect.install(first)
    const engineSchema = `other_${randomBytes(4).toString('hex')}`
    await migrate(db, { schema: engineSchema, roles: false })

    await expect(dialect.install(first, { engineSchema })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('over the engine in'),
    })
    await db.query(`drop schema ${engineSchema} cascade`)
  })

  test('never because its name is spelled as the original is', async ({ db }) => {
    for (const name of ['pg_task', 'pg_background'])
      expect(findDialect(name).name).toBe(name.replace('_', '-'))
    await expect(installDialect(db, { dialect: 'task_server' })).rejects.toThrow(
      'task-server needs no installation',
    )
  })

  test('by a name that no dialect has', async () => {
    await expect(installDialect(inject('pgUrl'), { dialect: '../../etc' })).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining('fetchq'),
    })
  })
})

describe('the list of dialects', () => {
  test('tells where each is installed, and over what', async ({ db, schema, newDialect }) => {
    const dialect = await newDialect()
    await dialect.install(first)

    const listed = await listDialects(db)

    expect(listed).toContainEqual({
      schema: dialect.schema,
      name: 'made-up',
      engine_schema: schema,
      state: 'unknown',
    })
  })

  test('leaves out what is dropped while it is read', async ({ db, newDialect, connect }) => {
    const dialect = await newDialect()
    await dialect.install(first)
    const [dropping, listing] = [await connect(), await connect()]
    const { rows } = await listing.query<{ pid: number }>('select pg_backend_pid() as pid')
    await dropping.query('begin')
    await dropping.query(`drop schema ${dialect.schema} cascade`)

    const listed = listDialects(listing)
    await until(async () => {
      const waiting = await db.query(
        `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`,
        [rows[0]?.pid],
      )
      return waiting.rowCount
    })
    await dropping.query('commit')

    expect((await listed).map(({ schema }) => schema)).not.toContain(dialect.schema)
  })

  test.for(['producer', 'worker', 'operator'])(
    'is open to a %s',
    async (role, { schema, newDialect, connect }) => {
      const dialect = await newDialect()
      await dialect.install(first)
      const session = await connect()
      await session.query(`set role ${testRoles}_${role}`)

      expect(await listDialects(session)).toContainEqual(
        expect.objectContaining({ schema: dialect.schema, engine_schema: schema }),
      )
    },
  )

  test('passes over the dialects of others', async ({ db, newDialect, connect }) => {
    const dialect = await newDialect()
    await dialect.install(first)
    const stranger = `stranger_${randomBytes(4).toString('hex')}`
    await db.query(`create role ${stranger}`)
    const session = await connect()
    await session.query(`set role ${stranger}`)

    const listed = await listDialects(session)

    expect(listed.map(({ schema }) => schema)).not.toContain(dialect.schema)
    await session.query('reset role')
    await db.query(`drop role ${stranger}`)
  })
})
