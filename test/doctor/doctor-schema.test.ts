import type pg from 'pg'
import { describe, expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { examine } from '../../src/doctor/examine.ts'
import { test, well } from '../support/doctor.ts'
import { testRoles } from '../support/engine.ts'

describe('the doctor, of what is installed,', () => {
  test('knows the version of Postgres', async ({ look }) => {
    expect(await look('version')).toEqual(well('version'))
  })

  test('finds that nothing is installed', async ({ db }) => {
    const findings = await examine(db, { schema: 'nowhere', only: ['schema-version', 'queues'] })

    expect(findings).toMatchObject([
      { check: 'schema-version', level: 'problem', hint: expect.stringContaining('migrate up') },
    ])
  })

  test('does not keep silent of queues when nothing is installed', async ({ db }) => {
    const of = (check: string) => examine(db, { schema: 'nowhere', only: [check] })

    expect(await of('queues')).toMatchObject([{ check: 'schema-version', level: 'problem' }])
    expect(await of('version')).toEqual(well('version'))
  })

  test('finds a migration that is missing and one that is newer', async ({ db, look }) => {
    expect(await look('schema-version')).toEqual(well('schema-version'))

    await inTransaction(db, async (client, schema) => {
      await client.query(`delete from installed where path = 'schema/groups.sql'`)
      await client.query(`insert into installed (path, hash) values ('migrations/9999_x.sql', 'x')`)

      const findings = await examine(client, { schema, only: ['schema-version'] })

      expect(findings).toMatchObject([
        { level: 'warning', details: { files: ['migrations/9999_x.sql'] } },
        { level: 'problem', details: { files: ['schema/groups.sql'] } },
      ])
    })
  })

  test('finds that one which is newer lets nothing of this version start', async ({ db }) => {
    await inTransaction(db, async (client, schema) => {
      await client.query(`insert into installed (path, hash, is_breaking)
                          values ('migrations/9999_x.sql', 'x', true)`)

      expect(await examine(client, { schema, only: ['schema-version'] })).toMatchObject([
        { level: 'problem', details: { files: ['migrations/9999_x.sql'] } },
      ])
    })
  })

  test('finds a login of SQL tasks that can become several of their roles', async ({
    db,
    engine,
    schema,
    look,
  }) => {
    const [login, one, two] = ['login', 'one', 'two'].map((name) => `${schema}_${name}`)
    await db.query(
      `create role ${login} login; create role ${one}; create role ${two};
       grant ${testRoles}_worker, ${one} to ${login}`,
    )
    try {
      await engine.rows('select allow_sql($1), allow_sql($2)', one, two)
      // Other tests' sessions of SQL tasks, as superuser, are in the same database.
      const found = async () =>
        (await look('sql-logins')).filter(({ details }) => details?.['login'] === login)
      expect(await found()).toEqual([])

      await db.query(`grant ${two} to ${login}`)

      expect(await found()).toMatchObject([
        {
          level: 'warning',
          hint: expect.stringContaining('sql.logins'),
          details: { login, roles: [one, two] },
        },
      ])
    } finally {
      await db.query(`drop role ${login}; drop role ${one}; drop role ${two}`)
    }
  })

  test('finds a dialect that was left behind', async ({ db, schema, look }) => {
    const dialect = `${schema}_fq`
    expect(await look('dialects')).toEqual(well('dialects'))
    await installDialect(db, { dialect: 'fetchq', schema: dialect, engineSchema: schema })
    try {
      expect(await look('dialects')).toEqual(well('dialects'))
      await db.query(`update ${dialect}.installed set hash = 'x' where path = 'verbs/schema.sql'`)

      expect(await look('dialects')).toMatchObject([
        {
          level: 'problem',
          hint: 'Run: tusk migrate up',
          details: { dialect: 'fetchq', schema: dialect, state: 'behind' },
        },
      ])
    } finally {
      await db.query(`drop schema ${dialect}, ${dialect}_data cascade`)
    }
  })

  test('finds a migration and a function that were applied with other texts', async ({ db }) => {
    await inTransaction(db, async (client, schema) => {
      await client.query(`update installed set hash = 'other'
                          where path in ('schema/groups.sql', 'verbs/tasks/cancel.sql')`)

      const findings = await examine(client, { schema, only: ['schema-version'] })

      expect(findings).toMatchObject([
        { level: 'problem', details: { files: ['schema/groups.sql'] } },
        { level: 'warning', details: { files: ['verbs/tasks/cancel.sql'] } },
      ])
    })
  })

  test('finds functions that were edited, weakened or dropped by hand', async ({ db, look }) => {
    expect(await look('drift')).toEqual(well('drift'))

    await inTransaction(db, async (client, schema) => {
      await client.query(`create or replace function cancel(p_id bigint) returns void
                          language plpgsql security definer as 'begin end'`)
      await client.query('alter function pause(text) security invoker')
      await client.query('drop function move')

      const findings = await examine(client, { schema, only: ['drift'] })

      expect(findings).toMatchObject([
        { level: 'problem', details: { functions: ['move()'] } },
        { level: 'problem', details: { functions: ['cancel()', 'pause()'] } },
      ])
    })
  })

  test('finds rights that are missing, and rights that everybody has', async ({ db, look }) => {
    expect(await look('grants')).toEqual(well('grants'))

    await inTransaction(db, async (client, schema) => {
      await client.query(`revoke execute on function retry from ${testRoles}_operator`)
      await client.query(`revoke select on task from ${testRoles}_operator`)
      await client.query('grant execute on function cancel to public')
      await client.query('grant select on audit to public')
      await client.query(`grant usage on schema ${schema} to public`)

      const findings = await examine(client, { schema, only: ['grants'] })

      const lost = [`${testRoles}_operator on retry`, `${testRoles}_operator on task`]
      expect(findings).toMatchObject([
        { level: 'problem', details: { objects: ['audit', 'cancel()', 'the schema'] } },
        { level: 'problem', details: { missing: lost } },
      ])
    })
  })

  test('heals what was changed by hand with the remedies that it names', async ({
    db,
    schema,
    look,
  }) => {
    await db.query('drop function move')
    await db.query(`revoke execute on function retry from ${testRoles}_operator`)
    await db.query('grant execute on function cancel to public')
    const before = [...(await look('drift')), ...(await look('grants'))]

    for (const { hint } of before)
      await db.query(/delete from .*?(?=; then: tusk migrate up)/.exec(hint ?? '')?.[0] ?? '')
    await migrate(db, { schema, roles: testRoles })

    expect(before.map(({ level }) => level)).toEqual(['problem', 'problem', 'problem'])
    expect(await look('drift')).toEqual(well('drift'))
    expect(await look('grants')).toEqual(well('grants'))
  })

  test('finds that roles could not be made', async ({ db }) => {
    await inTransaction(db, async (client, schema) => {
      await client.query(`update installed set hash = 'roles missing' where path = 'grants.sql'`)

      expect(await examine(client, { schema, only: ['grants'] })).toMatchObject([
        { level: 'warning', hint: expect.stringContaining('CREATEROLE') },
      ])
    })
  })
})

/** Changes the catalog and takes it back: the schema is that of all tests here. */
async function inTransaction(
  db: pg.Pool,
  work: (client: pg.PoolClient, schema: string) => Promise<void>,
): Promise<void> {
  const client = await db.connect()
  await client.query('begin')
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema')
  try {
    await work(client, rows[0]?.schema ?? '')
  } finally {
    await client.query('rollback')
    client.release()
  }
}
