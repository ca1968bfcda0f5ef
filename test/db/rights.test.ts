import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { migrate, migrationSql } from '../../src/db/migrate.ts'
import { test as engineTest } from '../support/engine.ts'
import { test as schemaTest, type TestSchema } from '../support/schema.ts'
import { first, second } from '../support/versions.ts'

const rolesInOrderOfDropping = ['admin', 'operator', 'worker', 'producer'] as const

interface RightsFixtures {
  /** A prefix of roles, gone after the test. */
  roles: string
  /** A login that may create schemas in this database, and nothing else. */
  login: { readonly name: string; readonly url: string }
}

const test = schemaTest.extend<RightsFixtures>({
  roles: async ({ db }, use) => {
    const prefix = `roles_${randomBytes(6).toString('hex')}`
    await use(prefix)
    for (const role of rolesInOrderOfDropping) {
      const { rowCount } = await db.query('select from pg_roles where rolname = $1', [
        `${prefix}_${role}`,
      ])
      if (rowCount === 0) continue
      await db.query(`drop owned by ${prefix}_${role} cascade; drop role ${prefix}_${role}`)
    }
  },

  login: async ({ db }, use) => {
    const name = `login_${randomBytes(6).toString('hex')}`
    const url = new URL(inject('pgUrl'))
    url.username = name
    url.password = name
    const database = pg.escapeIdentifier(decodeURIComponent(url.pathname.slice(1)))
    await db.query(
      `create role ${name} login password '${name}'; grant create on database ${database} to ${name}`,
    )
    await use({ name, url: url.href })
    await db.query(`drop owned by ${name} cascade; drop role ${name}`)
  },
})

/** Every right of PUBLIC in a schema, the ones Postgres gives by default included. */
const rightsOfPublic = `
  with own as (select oid, nspowner, nspacl from pg_namespace where nspname = $1),
  acls as (
    select 'schema' as what, coalesce(nspacl, acldefault('n', nspowner)) as acl from own
    union all
    select relname, coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))
    from pg_class, own
    where relnamespace = own.oid and relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select proname, coalesce(proacl, acldefault('f', proowner))
    from pg_proc, own
    where pronamespace = own.oid
  )
  select what, privilege_type from acls, aclexplode(acl) where grantee = 0`

async function askAs<T>(schema: TestSchema, role: string, query: string): Promise<T | string> {
  const client = await schema.db.connect()
  try {
    await client.query(`begin; set local role ${role}; set local search_path = ${schema.name}`)
    const { rows } = await client.query<Record<string, T>>(query)
    return Object.values(rows[0] ?? {})[0] ?? 'nothing'
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown'
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('PUBLIC', () => {
  test('may do nothing, after an install and after an upgrade', async ({ schema }) => {
    await schema.upgrade(first)
    expect(await schema.query(rightsOfPublic, [schema.name])).toEqual([])

    await schema.upgrade(second)

    expect(await schema.query(rightsOfPublic, [schema.name])).toEqual([])
  })

  engineTest('may do nothing in the engine that ships', async ({ db, schema }) => {
    const { rows } = await db.query(rightsOfPublic, [schema])

    expect(rows).toEqual([])
  })
})

describe('a function with the rights of its owner', () => {
  engineTest('looks for names in its own schema only', async ({ db, schema }) => {
    const { rows } = await db.query(
      `select oid::regprocedure from pg_proc
       where pronamespace = $1::regnamespace and prosecdef and not $2 = any (coalesce(proconfig, '{}'))`,
      [schema, `search_path=${schema}, pg_temp`],
    )

    expect(rows).toEqual([])
  })
})

describe('the four roles', () => {
  test('cannot log in, and include one another', async ({ schema, roles }) => {
    await schema.upgrade(first, { roles })

    const members = await schema.query(
      `select r.rolname as role, r.rolcanlogin, array_agg(m.rolname::text order by m.rolname) as in_it
       from pg_roles r
       join pg_auth_members on roleid = r.oid
       join pg_roles m on m.oid = member
       where starts_with(r.rolname, $1) and starts_with(m.rolname, $1)
       group by 1, 2 order by 1`,
      [roles],
    )

    expect(members).toEqual([
      { role: `${roles}_operator`, rolcanlogin: false, in_it: [`${roles}_admin`] },
      { role: `${roles}_producer`, rolcanlogin: false, in_it: [`${roles}_operator`] },
      { role: `${roles}_worker`, rolcanlogin: false, in_it: [`${roles}_operator`] },
    ])
  })

  test('are named after the schema by default', async ({ schema, roles }) => {
    const named = { schema: roles, directory: schema.options.directory }
    await schema.release(first)

    await migrate(schema.db, named)

    expect(
      await schema.value(`select count(*)::int from pg_roles where starts_with(rolname, $1)`, [
        roles,
      ]),
    ).toBe(4)
    await schema.query(`drop schema ${roles} cascade`)
  })

  test('may do what grants.sql says, and no more', async ({ schema, roles }) => {
    const definer = `${first['verbs/note.sql']}; alter function note(text) security definer;`
    await schema.upgrade({ ...first, 'verbs/note.sql': definer }, { roles })

    expect(await askAs(schema, `${roles}_producer`, `select note('hello')`)).toBe('1')
    expect(await askAs(schema, `${roles}_admin`, `select note('hello')`)).toBe('2')
    expect(await askAs(schema, `${roles}_worker`, `select note('x')`)).toMatch(
      /denied for function note/,
    )
    expect(await askAs(schema, `${roles}_producer`, 'select text from notes')).toMatch(/denied/)
    expect(await askAs(schema, `${roles}_producer`, 'select text from note_list')).toMatch(/denied/)
    expect(await askAs(schema, `${roles}_operator`, 'select count(*) from note_list')).toBe('0')
    expect(await askAs(schema, `${roles}_worker`, 'select count(*) from installed')).toBe('8')
  })

  test('lose what an upgrade no longer grants', async ({ schema, roles }) => {
    await schema.upgrade(first, { roles })

    await schema.upgrade(second, { roles })

    expect(await askAs(schema, `${roles}_producer`, `select note('x')`)).toMatch(
      /denied for function/,
    )
    expect(await askAs(schema, `${roles}_operator`, 'select * from a_summary')).toMatch(
      /denied for view/,
    )
  })

  test('get their rights when they are asked for later', async ({ schema, roles }) => {
    await schema.upgrade(first)

    const report = await schema.upgrade(first, { roles })

    expect(report.applied).toEqual(['grants.sql'])
    expect(await askAs(schema, `${roles}_operator`, 'select count(*) from note_list')).toBe('0')
  })

  test('must exist by name: a wrong line in grants.sql stops the run', async ({ schema }) => {
    const wrongVerb = { ...first, 'grants.sql': `select grant_verb('producer', 'no_such');` }
    const wrongView = { ...first, 'grants.sql': `select grant_view('producer', 'no_such');` }
    const wrongRole = { ...first, 'grants.sql': `select grant_verb('boss', 'note');` }

    await expect(schema.upgrade(wrongVerb)).rejects.toThrow('there is no function no_such')
    await expect(schema.upgrade(wrongView)).rejects.toThrow('there is no view no_such')
    await expect(schema.upgrade(wrongRole)).rejects.toThrow(`there is no role 'boss'`)
  })
})

describe('an installing user', () => {
  test('needs no superuser, and hears that the roles are missing', async ({
    schema,
    roles,
    login,
  }) => {
    await schema.release(first)

    const report = await migrate(login.url, { ...schema.options, roles })

    expect(report.applied).toHaveLength(8)
    expect(report.notices).toEqual([expect.stringContaining(`${roles}_producer`)])
    expect(report.notices).toEqual([expect.stringContaining('CREATEROLE')])
    expect(
      await schema.value(`select nspowner::regrole::text from pg_namespace where nspname = $1`, [
        schema.name,
      ]),
    ).toBe(login.name)
  })

  test('has Citus repeat nothing on other nodes', async ({ schema, login }) => {
    const during = `do $$ begin
      if current_setting('citus.enable_ddl_propagation') <> 'off' then
        raise exception 'Citus would repeat this';
      end if;
    end $$;`
    await schema.release({ ...first, 'migrations/0002_citus.sql': during })

    const { applied } = await migrate(login.url, schema.options)

    expect(applied).toContain('migrations/0002_citus.sql')
  })

  test('has Citus repeat nothing with the script for psql either', async ({ schema }) => {
    const during = `do $$ begin
      if current_setting('citus.enable_ddl_propagation') <> 'off' then
        raise exception 'Citus would repeat this';
      end if;
    end $$;`
    await schema.release({ ...first, 'migrations/0002_citus.sql': during })

    await schema.query(await migrationSql(schema.options))

    expect(await schema.query('select path from :s.installed')).toContainEqual({
      path: 'migrations/0002_citus.sql',
    })
  })

  test('may be given the roles later, by a role that can create them', async ({
    schema,
    roles,
    login,
  }) => {
    await schema.release(first)
    await migrate(login.url, { ...schema.options, roles })
    for (const role of rolesInOrderOfDropping) await schema.query(`create role ${roles}_${role}`)

    await migrate(login.url, { ...schema.options, roles })

    expect(await askAs(schema, `${roles}_operator`, 'select count(*) from note_list')).toBe('0')
  })

  test('with CREATEROLE makes the roles and may act as each', async ({
    db,
    schema,
    roles,
    login,
  }) => {
    await db.query(`alter role ${login.name} createrole`)
    await schema.release(first)

    const report = await migrate(login.url, { ...schema.options, roles })

    expect(report.notices).toEqual([])
    expect(
      await schema.value('select pg_has_role($1, $2, $3)', [
        login.name,
        `${roles}_producer`,
        'usage',
      ]),
    ).toBe(true)
  })

  test('needs no right to create schemas when the schema is there', async ({
    db,
    schema,
    login,
  }) => {
    const database = pg.escapeIdentifier(String(await schema.value('select current_database()')))
    await db.query(`revoke create on database ${database} from ${login.name}`)
    await db.query(`create schema ${schema.name} authorization ${login.name}`)
    await schema.release(first)

    const report = await migrate(login.url, schema.options)

    expect(report.applied).toHaveLength(8)
  })
})
