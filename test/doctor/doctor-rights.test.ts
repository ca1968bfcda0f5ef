import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { examine } from '../../src/doctor/examine.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { test as base, well } from '../support/doctor.ts'
import { testRoles } from '../support/engine.ts'

/** A role that can log in, and an engine of this test's own. */
const test = base.extend<{ mallory: string; own: string }>({
  mallory: async ({ db }, use) => {
    const name = `mallory_${randomBytes(4).toString('hex')}`
    await db.query(`create role ${name} login password '${name}'`)
    await use(name)
    await db.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = $1`, [
      name,
    ])
    await db.query(`drop owned by ${name} cascade; drop role ${name}`)
  },
  own: async ({ db }, use) => {
    const schema = `own_${randomBytes(4).toString('hex')}`
    await migrate(db, { schema, roles: false })
    await use(schema)
    await db.query(`drop schema if exists ${schema} cascade`)
  },
})

describe('the doctor, of who could change the engine,', () => {
  test.for([
    ['owns the schema', 'alter schema :s owner to :m', 'the schema :s belongs to the role :m'],
    [
      'owns a function',
      'create function :s.f() returns int language sql as $$ select 1 $$; alter function :s.f owner to :m',
      'the function f in the schema :s belongs to the role :m',
    ],
    [
      'may create objects',
      'grant create on schema :s to :m',
      'the role :m may create objects in the schema :s',
    ],
  ] as const)(
    'finds a role that %s, and runs nothing of its code',
    async ([, done, found], { db, own, mallory }) => {
      const named = (text: string) => text.replaceAll(':s', own).replaceAll(':m', mallory)
      expect(await examine(db, { schema: own, only: ['owner'] })).toEqual(well('owner'))

      await db.query(named(done))

      const findings = await examine(db, { schema: own, only: ['owner', 'queues'] })
      expect(findings).toMatchObject([
        { check: 'owner', level: 'problem', details: { faults: [named(found)] } },
      ])
      expect(await examine(db, { schema: own, only: ['queues'] })).toEqual(findings)
    },
  )

  test('finds a worker that logs in as a superuser', async ({ db, look }) => {
    const { rows } = await db.query<{ login: string }>('select current_user as login')
    const worker = new pg.Client({ ...db.options, application_name: 'tusk worker' })
    await worker.connect()

    const findings = await look('logins')
    await worker.end()

    expect(findings).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        message: expect.stringContaining('superuser'),
        details: {
          login: rows[0]?.login,
          applications: expect.arrayContaining(['tusk worker']),
          may: 'superuser',
        },
      }),
    )
  })

  test.for([
    ['worker', 'tusk worker', undefined],
    ['operator', 'tusk worker', undefined],
    ['admin', 'tusk worker', 'admin'],
    ['admin', 'tusk client', 'admin'],
    // To make tokens.
    ['admin', 'tusk http', undefined],
    ['admin', 'psql', undefined],
  ] as const)(
    'knows what a login with the rights of a %s may as %s',
    async ([role, program, may], { db, mallory, look }) => {
      await db.query(`grant ${testRoles}_${role} to ${mallory}`)
      const session = await logIn(mallory, program)

      const findings = await look('logins')
      await session.end()

      expect(mightOf(findings, mallory)).toEqual(may === undefined ? [] : [['warning', may]])
    },
  )

  test('finds a worker that logs in as the owner of the engine', async ({ db, mallory }) => {
    const schema = `${mallory}_engine`
    await db.query(`create schema ${schema} authorization ${mallory}`)
    await migrate(urlOf(mallory), { schema, roles: false })
    const session = await logIn(mallory, 'tusk worker')

    const findings = await examine(db, { schema, only: ['logins'] })
    await session.end()

    expect(mightOf(findings, mallory)).toEqual([['warning', 'owner']])
  })

  test('finds a session of SQL tasks that can become several roles, and claims nothing', async ({
    db,
    engine,
    mallory,
    look,
  }) => {
    const [one, two] = [`${mallory}_one`, `${mallory}_two`]
    await db.query(`create role ${one}; create role ${two}; grant ${one}, ${two} to ${mallory}`)
    try {
      await engine.rows('select allow_sql($1), allow_sql($2)', one, two)
      const found = async () =>
        (await look('sql-logins')).filter(({ details }) => details['login'] === mallory)
      const before = await found()
      const session = await logIn(mallory, 'tusk sql')

      const during = await found()
      await session.end()

      expect(before).toEqual([])
      expect(during).toMatchObject([{ level: 'warning', details: { roles: [one, two] } }])
    } finally {
      await db.query(`drop role ${one}; drop role ${two}`)
    }
  })
})

function urlOf(login: string): string {
  const url = new URL(inject('pgUrl'))
  url.username = login
  url.password = login
  return url.href
}

/** A session as a program of Tusk opens it. */
async function logIn(login: string, program: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(login), application_name: program })
  await client.connect()
  return client
}

function mightOf(findings: readonly Finding[], login: string) {
  return findings
    .filter(({ details }) => details['login'] === login)
    .map(({ level, details }) => [level, details['may']])
}
