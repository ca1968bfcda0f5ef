import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { test as base, testRoles } from '../support/engine.ts'
import { type Attempt, plantOwnersCode, restricted, takeAttempts } from '../support/owners-code.ts'

interface Mallory {
  readonly name: string
  /** Lets Postgres run a statement as Mallory while a superuser maintains her table. */
  readonly attack: (statement: string, command?: string) => Promise<Attempt[]>
}

/** A role with the rights of a producer and one table of its own. */
const test = base.extend<{ mallory: Mallory; superuser: string }>({
  superuser: async ({ engine }, use) => use(await engine.value<string>('select session_user')),

  mallory: async ({ db, schema, superuser }, use) => {
    const name = `mallory_${randomBytes(4).toString('hex')}`
    await db.query(`create role ${name}; grant ${testRoles}_producer to ${name}`)
    await use({
      name,
      attack: async (statement, command = 'analyze :m.bait') => {
        await plantOwnersCode(db, name, statement.replaceAll(':t', schema))
        await db.query(command.replaceAll(':m', name))
        const attempts = await takeAttempts(db, name)
        // The code ran, with Mallory's rights, in the session of the superuser.
        expect(attempts[0]).toMatchObject({ current_user: name, session_user: superuser })
        return attempts
      },
    })
    await db.query(`drop owned by ${name} cascade; drop role ${name}`)
  },
})

const becomeSuperuser = `select :t.enqueue('sql', '{"sql": "alter role mallory superuser"}', p_kind => 'sql')`

const outcomes = (attempts: readonly Attempt[]) => new Set(attempts.map(({ outcome }) => outcome))
const refused = new Set([restricted])

describe('a producer whose code a superuser’s command runs', () => {
  test.for([
    'analyze :m.bait',
    'vacuum (analyze) :m.bait',
    'reindex table :m.bait',
    'create index on :m.bait (:m.expression(n + 1))',
    'cluster :m.bait using bait_n',
    'refresh materialized view :m.picture',
  ])('has no SQL stored in the name of the superuser: %s', async (command, { engine, mallory }) => {
    const attempts = await mallory.attack(becomeSuperuser, command)

    expect(outcomes(attempts)).toEqual(refused)
    expect(await engine.rows('select from task')).toEqual([])
  })

  test.for([
    `select :t.enqueue('mail')`,
    `select :t.enqueue('mail', p_groups => '{g}', p_key => 'k', p_on_duplicate => 'replace')`,
    `select :t.enqueue_many('[{"queue": "mail"}]'::jsonb)`,
    `select :t.sql('alter role mallory superuser')`,
    `select :t.watch(1)`,
  ])('calls no verb in the name of the superuser: %s', async (statement, { engine, mallory }) => {
    await engine.enqueue({ queue: 'mail', key: 'k', payload: 'secret' })

    expect(outcomes(await mallory.attack(statement))).toEqual(refused)

    expect(await engine.rows('select payload from task')).toEqual([{ payload: 'secret' }])
  })

  test('sees her own tasks in own_task, and none of the superuser', async ({
    db,
    engine,
    mallory,
    schema,
  }) => {
    await db.query(`create table ${schema}.seen (payload jsonb)`)
    await db.query(`grant insert on ${schema}.seen to ${mallory.name}`)
    await engine.enqueue({ queue: 'mail', payload: 'of the superuser' })
    await db.query(`set role ${mallory.name}; select enqueue('mail', '"own"'); reset role`)

    await mallory.attack('insert into :t.seen select payload from :t.own_task')

    expect(await engine.rows('select distinct payload from seen')).toEqual([{ payload: 'own' }])
    await db.query(`drop table ${schema}.seen`)
  })

  test('makes no trigger in the name of the superuser, as an operator', async ({
    db,
    engine,
    mallory,
    schema,
  }) => {
    await db.query(`grant ${testRoles}_operator to ${mallory.name}`)
    await db.query(`create table ${schema}.payroll (id int)`)

    const attempts = await mallory.attack(
      `select :t.set_trigger(':t.payroll', 'spy', '{"on": ["insert"], "handler": "spy"}')`,
    )

    expect(outcomes(attempts)).toEqual(refused)
    expect(await engine.rows('select from row_triggers')).toEqual([])
    await db.query(`drop table ${schema}.payroll`)
  })

  test('writes no audit entry with the login of the superuser, as an operator', async ({
    db,
    engine,
    mallory,
  }) => {
    await db.query(`grant ${testRoles}_operator to ${mallory.name}`)
    await engine.enqueue({ queue: 'mail' })

    const attempts = await mallory.attack(
      `select set_config('tusk.caller', '{"actor": "admin"}', true), :t.pause('mail')`,
    )

    expect(outcomes(attempts)).toEqual(refused)
    expect(await engine.rows('select from audit')).toEqual([])
  })

  test('sets no schedule in the name of the superuser, as an operator', async ({
    db,
    engine,
    mallory,
  }) => {
    await db.query(`grant ${testRoles}_operator to ${mallory.name}`)

    const attempts = await mallory.attack(
      `select :t.set_schedule('nightly', '{"every": "1 hour", "task": {"queue": "sql", "kind": "sql", "payload": {"sql": "select 1"}}}')`,
    )

    expect(outcomes(attempts)).toEqual(refused)
    expect(await engine.rows('select from schedules')).toEqual([])
  })
})

describe('a role that was set', () => {
  test('still enqueues in its own name, also where the session listens', async ({
    connect,
    engine,
  }) => {
    const client = await connect()
    await client.query('listen anything')
    await client.query(`set role ${testRoles}_producer`)

    await client.query(`begin; select enqueue('mail'); select enqueue('mail'); commit`)

    expect(await engine.rows('select submitted_by from task')).toEqual(
      Array.from({ length: 2 }, () => ({ submitted_by: `${testRoles}_producer` })),
    )
    expect((await client.query('select * from pg_listening_channels()')).rows).toHaveLength(1)
  })

  test('leaves nothing behind that grows with each call of a transaction', async ({ connect }) => {
    const client = await connect()
    await client.query('listen anything')
    await client.query('begin')
    await client.query('select session_role()')
    const bytes = `select sum(total_bytes)::int8 as n from pg_backend_memory_contexts`
    const before = (await client.query<{ n: string }>(bytes)).rows[0]?.n

    await client.query('do $$ begin for i in 1..2000 loop perform session_role(); end loop; end $$')

    // 2,000 subtransactions that keep their memory come to 16 MB.
    const after = (await client.query<{ n: string }>(bytes)).rows[0]?.n
    expect(Number(after) - Number(before)).toBeLessThan(4_000_000)
    await client.query('rollback')
  })
})

describe('the SQL of Tusk', () => {
  test('asks who is logged in at one place only', async () => {
    const root = fileURLToPath(new URL('../../sql', import.meta.url))
    const paths = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.sql'))
    const asking: string[] = []
    for (const path of paths) {
      const code = (await readFile(join(root, path), 'utf8')).replace(/--.*$/gm, '')
      if (/\bsession_user\b|current_setting\s*\(\s*'(role|session_authorization)'/i.test(code))
        asking.push(path)
    }

    // The default of audit.login is guarded by write_audit().
    expect(new Set(asking)).toEqual(new Set(['schema/access.sql', 'core/identity.sql']))
  })
})
