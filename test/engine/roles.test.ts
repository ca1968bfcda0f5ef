import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { test as base, testRoles } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

type Role = 'producer' | 'worker' | 'operator' | 'admin'
type As = (role: Role) => Promise<TestEngine>

/** The engine as a role has it, on a connection of its own. */
const test = base.extend<{ as: As }>({
  as: async ({ engine, connect }, use) => {
    await use(async (role) => {
      const client = await connect()
      await client.query(`set role ${testRoles}_${role}`)
      return engine.on(client)
    })
  },
})

const denied = { code: '42501' }

/** What grants.sql says: role and name, of verbs or of views. */
async function granted(what: 'verb' | 'view'): Promise<string[]> {
  const text = await readFile(new URL('../../sql/grants.sql', import.meta.url), 'utf8')
  const statements = text.matchAll(new RegExp(`^select grant_${what}\\((.*)\\);`, 'gm'))
  return [...statements].flatMap(([, list = '']) => {
    const [role, ...names] = list.split(', ').map((name) => name.slice(1, -1))
    return names.map((name) => `${role} ${name}`)
  })
}

const rightsOfRoles = (catalog: string) => `
  select distinct substr(grantee::regrole::text, length($1) + 2) || ' ' || name as right
  from (${catalog}) as thing (name, acl), aclexplode(acl)
  where grantee::regrole::text like $1 || '\\_%'
  order by 1`

describe('a producer', () => {
  test('may enqueue, and sees its own tasks only', async ({ engine, as }) => {
    const producer = await as('producer')
    await engine.enqueue({ queue: 'mail', payload: 'of another role' })

    await producer.enqueue({ queue: 'mail', payload: 'own' })

    expect(await producer.rows('select payload, submitted_by from own_task')).toEqual([
      { payload: 'own', submitted_by: `${testRoles}_producer` },
    ])
  })

  test('learns nothing of other tasks by a condition that tells', async ({ engine, as }) => {
    const producer = await as('producer')
    await engine.enqueue({ queue: 'mail', key: 'secret' })
    await producer.rows(`
      create function pg_temp.peek(text) returns boolean language plpgsql cost 0.0000001
      as $$ begin raise exception 'it is %', $1; end $$`)

    expect(await producer.rows('select from own_task where pg_temp.peek(key)')).toEqual([])
  })

  test('may enqueue many, from arrays and from JSON', async ({ as }) => {
    const producer = await as('producer')

    await producer.enqueueMany([{ queue: 'mail', key: 'a', groups: ['g'] }, { queue: 'post' }])
    await producer.rows(`select enqueue_many('[{"queue": "mail"}]'::jsonb)`)

    expect(await producer.rows('select from own_task')).toHaveLength(3)
  })

  test('may not claim, cancel or look at the tasks of others', async ({ engine, as }) => {
    const producer = await as('producer')
    const { id } = await engine.enqueue({ queue: 'mail' })

    await expect(producer.claim('mail')).rejects.toMatchObject(denied)
    await expect(producer.cancel(id)).rejects.toMatchObject(denied)
    await expect(producer.task(id)).rejects.toMatchObject(denied)
  })

  test('may watch its own task, and no other', async ({ engine, as }) => {
    const producer = await as('producer')
    const own = await producer.enqueue({ queue: 'mail' })
    const other = await engine.running({ queue: 'post' })
    await engine.complete(other, 'secret')

    expect(await producer.rows('select state from watch($1)', own.id)).toEqual([
      { state: 'queued' },
    ])
    await expect(producer.rows('select * from watch($1)', other.id)).rejects.toMatchObject({
      code: 'task_not_found',
    })
  })
})

describe('a worker', () => {
  test('may claim and say what became of a task', async ({ engine, as }) => {
    const worker = await as('worker')
    const { id } = await engine.enqueue({ queue: 'mail', key: 'a', groups: ['g'] })

    await worker.complete(await worker.claimOne('mail'))

    expect(await engine.task(id)).toMatchObject({ state: 'done' })
  })

  test('may keep house', async ({ engine, as }) => {
    const worker = await as('worker')
    const task = await engine.running()
    await engine.pass('31 seconds', task.id)

    expect(await worker.rescue()).toHaveLength(1)
    expect(await worker.expire()).toEqual([])
    expect(await worker.sweep()).toMatchObject({ days: 0 })
    expect(await worker.value('select roll_up()')).toBeGreaterThan(0)
  })

  test('may not cancel, retry, delete, enqueue or change settings', async ({ engine, as }) => {
    const worker = await as('worker')
    const { id } = await engine.enqueue({ queue: 'mail' })

    await expect(worker.cancel(id)).rejects.toMatchObject(denied)
    await expect(worker.retry(id)).rejects.toMatchObject(denied)
    await expect(worker.delete(id)).rejects.toMatchObject(denied)
    await expect(worker.enqueue({ queue: 'mail' })).rejects.toMatchObject(denied)
    await expect(worker.setQueue('mail', {})).rejects.toMatchObject(denied)
    await expect(worker.pause('mail')).rejects.toMatchObject(denied)
  })
})

describe('an operator', () => {
  test('may cancel, retry, delete, and see everything', async ({ engine, as }) => {
    const operator = await as('operator')
    const { id } = await engine.enqueue({ queue: 'mail' })

    await operator.cancel(id)
    await operator.retry(id)

    expect(await operator.task(id)).toMatchObject({ state: 'ready' })
    await operator.delete(id)
  })

  test('may do what producers and workers may', async ({ as }) => {
    const operator = await as('operator')
    await operator.enqueue({ queue: 'mail' })

    await operator.complete(await operator.claimOne('mail'), 'by hand')

    expect(await operator.rows('select state from watch(1)')).toEqual([{ state: 'done' }])
  })
})

describe('no role but the owner', () => {
  test.for(['producer', 'worker', 'operator', 'admin'] as const)(
    'may touch the tables: not a %s',
    async (role, { engine, as }) => {
      const tables = await engine.rows<{ name: string }>(
        `select relname as name from pg_class
         where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'S')
           and relname <> 'installed'`,
      )
      const anyone = await as(role)

      const readable = await anyone.rows(
        `select name from unnest($1::text[]) as name
         where has_table_privilege(name, 'select, insert, update, delete, truncate')`,
        tables.map(({ name }) => name),
      )

      expect(tables.length).toBeGreaterThan(10)
      expect(readable).toEqual([])
    },
  )

  test('may call a function that grants.sql does not name', async ({ engine }) => {
    const rights = await engine.rows<{ right: string }>(
      rightsOfRoles(
        `select proname, proacl from pg_proc where pronamespace = current_schema()::regnamespace`,
      ),
      testRoles,
    )

    expect(new Set(rights.map(({ right }) => right))).toEqual(new Set(await granted('verb')))
  })

  test('may read a view that grants.sql does not name', async ({ engine }) => {
    const rights = await engine.rows<{ right: string }>(
      rightsOfRoles(
        `select relname, relacl from pg_class
         where relnamespace = current_schema()::regnamespace and relname <> 'installed'`,
      ),
      testRoles,
    )

    expect(new Set(rights.map(({ right }) => right))).toEqual(new Set(await granted('view')))
  })

  test('may put an object of its own before what a verb names', async ({ engine }) => {
    const open = await engine.rows(
      `select oid::regprocedure from pg_proc
       where pronamespace = current_schema()::regnamespace and prosecdef
         and not exists (select from unnest(proconfig) as setting where setting like 'search_path=%pg_temp')`,
    )

    expect(open).toEqual([])
  })
})

describe('submitted_by', () => {
  test('is the user that is logged in', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })

    expect(await engine.value('select submitted_by = session_user from task')).toBe(true)
  })

  test('is the role that was set', async ({ engine, as }) => {
    const operator = await as('operator')

    const { id } = await operator.enqueue({ queue: 'mail' })

    expect(await engine.task(id)).toMatchObject({ submitted_by: `${testRoles}_operator` })
  })

  test('stays with the task through its life', async ({ engine, as }) => {
    const { id } = await (await as('producer')).enqueue({ queue: 'mail' })
    await engine.complete(await engine.claimOne('mail'))

    await engine.retry(id)

    expect(await engine.task(id)).toMatchObject({ submitted_by: `${testRoles}_producer` })
  })
})
