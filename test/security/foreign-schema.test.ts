import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect } from 'vitest'
import { listMigrations, migrate, migrationSql } from '../../src/db/migrate.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { test as base } from '../support/schema.ts'
import { first } from '../support/versions.ts'

/** A role without rights, which got hold of a schema before Tusk did. */
const test = base.extend<{ mallory: string; as: (role: string) => Promise<pg.Client> }>({
  mallory: async ({ db }, use) => {
    const name = `mallory_${randomBytes(4).toString('hex')}`
    await db.query(`create role ${name}`)
    await use(name)
    await db.query(`drop owned by ${name} cascade; drop role ${name}`)
  },
  as: async ({ db }, use) => {
    const clients: pg.Client[] = []
    await use(async (role) => {
      const client = new pg.Client({ ...db.options })
      clients.push(client)
      await client.connect()
      await client.query(`set role ${role}`)
      return client
    })
    for (const client of clients) await client.end()
  },
})

const refused = (words: string) => ({
  name: 'TuskError',
  code: 'schema_not_owned',
  message: expect.stringContaining(words),
  hint: expect.any(String),
})

describe('the installer refuses', () => {
  test('a schema of another role, also for a superuser', async ({ schema, mallory }) => {
    await schema.query(`create schema :s authorization ${mallory}`)

    await expect(schema.upgrade(first)).rejects.toMatchObject(refused(mallory))

    expect(await schema.value('select to_regclass($1)', [`${schema.name}.notes`])).toBeNull()
  })

  test('the same as a script for psql', async ({ schema, mallory }) => {
    await schema.query(`create schema :s authorization ${mallory}`)
    await schema.release(first)
    const client = await schema.db.connect()
    const script = await migrationSql(schema.options)
    const outcome = await client.query(script).catch((error: unknown) => error)
    await client.query('rollback')
    client.release()

    expect(outcome).toMatchObject({
      code: 'TK014',
      message: expect.stringContaining(`belongs to the role ${mallory}`),
    })
  })

  test.for([
    [
      'a function',
      'create function :s.refuse(text, text, integer) returns void language sql as $$ $$',
    ],
    ['a table', 'create table :s.notes (id int)'],
    ['an operator', 'create operator :s.=== (function = int4eq, leftarg = int, rightarg = int)'],
    ['a type', `create domain :s.name as text`],
  ] as const)(
    'a schema in which another role has put %s',
    async ([, statement], { schema, mallory }) => {
      await schema.query(`create schema :s; grant create on schema :s to ${mallory}`)
      await schema.query(`set role ${mallory}; ${statement}; reset role`)
      await schema.query(`revoke create on schema :s from ${mallory}`)

      await expect(schema.upgrade(first)).rejects.toMatchObject(refused(`role ${mallory}`))
    },
  )

  test('a schema in which another role may create objects', async ({ schema, mallory }) => {
    await schema.query(`create schema :s; grant create on schema :s to ${mallory}`)

    await expect(schema.upgrade(first)).rejects.toMatchObject(
      refused(`role ${mallory} may create objects`),
    )
  })

  test('to look into the schema before it knows whose it is', async ({ schema, mallory, as }) => {
    const client = await as(mallory)
    await schema.query(`create schema :s authorization ${mallory}`)
    await client.query(`create table ${schema.name}.loot (session text);
      create function ${schema.name}.steal() returns text language sql
      as $$ insert into ${schema.name}.loot values (current_user) returning 'x' $$;
      create view ${schema.name}.installed as
        select ${schema.name}.steal() as path, 'x' as hash, false as is_breaking, now() as applied_at`)

    await expect(schema.upgrade(first)).rejects.toMatchObject(refused(mallory))
    await listMigrations(schema.db, schema.options)

    expect(await schema.query('select * from :s.loot')).toEqual([])
  })

  test('a dialect over an engine of another role, and one in a schema of another role', async ({
    schema,
    newSchema,
    mallory,
    as,
  }) => {
    const { db } = schema
    const spoken = await newSchema()
    const dialect = { dialect: 'fetchq', schema: spoken.name, engineSchema: schema.name }
    await schema.query(`create schema :s authorization ${mallory}`)
    await migrate(await as(mallory), { schema: schema.name, roles: false })

    await expect(installDialect(db, dialect)).rejects.toMatchObject(
      refused(`the schema ${schema.name} belongs to the role ${mallory}`),
    )
    await schema.query('drop schema :s cascade')
    await migrate(db, { schema: schema.name, roles: false })
    await spoken.query(`create schema :s authorization ${mallory}`)
    await expect(installDialect(db, dialect)).rejects.toMatchObject(
      refused(`the schema ${spoken.name} belongs to the role ${mallory}`),
    )
  })
})

describe('the installer accepts', () => {
  test('a schema that a superuser made for another role', async ({ schema, mallory, as }) => {
    await schema.query(`create schema :s; grant all on schema :s to ${mallory}`)
    await schema.release(first)

    const { applied } = await migrate(await as(mallory), schema.options)

    expect(applied).toHaveLength(8)
    await schema.query('drop schema :s cascade')
  })

  test('a schema of the role that it was set to act as', async ({ schema, mallory, as }) => {
    await schema.query(`create schema :s authorization ${mallory}`)
    await schema.release(first)
    const client = await as(mallory)

    await migrate(client, schema.options)
    const again = await migrate(client, schema.options)

    expect(again.applied).toEqual([])
    await schema.query('drop schema :s cascade')
  })

  test('a schema in which everybody could create objects, and takes that right back', async ({
    schema,
  }) => {
    await schema.query('create schema :s; grant create on schema :s to public')

    await schema.upgrade(first)

    expect(
      await schema.value(
        `select count(*)::int from pg_namespace, aclexplode(nspacl) where nspname = $1 and grantee = 0`,
        [schema.name],
      ),
    ).toBe(0)
  })
})
