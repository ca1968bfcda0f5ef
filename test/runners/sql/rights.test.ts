import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { testRoles } from '../../support/engine.ts'
import { test as base } from '../../support/sql-tasks.ts'
import type { TestEngine } from '../../support/test-engine.ts'

interface People {
  /** A role that may enqueue and nothing else. */
  readonly web: string
  /** A role with few rights, to run as. */
  readonly reader: string
  readonly as: (role: string) => Promise<TestEngine>
}

const test = base.extend<{ people: People }>({
  people: async ({ db, engine, connect }, use) => {
    const tail = randomBytes(4).toString('hex')
    const [web, reader] = [`web_${tail}`, `reader_${tail}`]
    await db.query(
      `create role ${web}; create role ${reader}; grant ${testRoles}_producer to ${web}`,
    )
    await use({
      web,
      reader,
      as: async (role) => {
        const client = await connect()
        await client.query(`set role ${role}`)
        return engine.on(client)
      },
    })
    await db.query(`drop owned by ${web}, ${reader}; drop role ${web}; drop role ${reader}`)
  },
})

const enqueue = (payload: object) => ({
  queue: 'sql',
  kind: 'sql' as const,
  payload: payload as never,
})
const refused = (words: string) => ({
  code: 'invalid_argument',
  message: expect.stringContaining(words),
})

describe('who may run what', () => {
  test('a producer may not send SQL of its own', async ({ people }) => {
    const web = await people.as(people.web)

    await expect(web.enqueue(enqueue({ sql: 'select 1' }))).rejects.toMatchObject(
      refused(`${people.web} may not send SQL of its own`),
    )
    await expect(web.rows(`select sql('select 1')`)).rejects.toMatchObject(refused('may not send'))
    await expect(
      web.enqueueMany([{ queue: 'mail' }, enqueue({ sql: 'select 1' })]),
    ).rejects.toMatchObject(refused('task 2 of 2 cannot be enqueued'))
    expect(await web.rows('select from own_task')).toEqual([])
  })

  test('one who was allowed to may, as the role that was named and no other', async ({
    engine,
    people,
    workSql,
    endOf,
  }) => {
    await engine.rows('select allow_sql($1, $2)', people.web, people.reader)
    const web = await people.as(people.web)

    await expect(web.enqueue(enqueue({ sql: 'select 1' }))).rejects.toMatchObject(
      refused('may not have SQL run as itself'),
    )
    await expect(web.enqueue(enqueue({ sql: 'select 1', role: 'postgres' }))).rejects.toMatchObject(
      refused(`may not have SQL run as 'postgres'`),
    )
    const { id } = await web.enqueue(enqueue({ sql: 'select current_user', role: people.reader }))
    await workSql()

    expect((await endOf(id)).output.results[0]?.rows).toEqual([[people.reader]])
    await engine.rows('select forbid_sql($1)', people.web)
    await expect(
      web.enqueue(enqueue({ sql: 'select 1', role: people.reader })),
    ).rejects.toMatchObject(refused('may not send SQL'))
  })

  test('an operator may, and it runs as that operator', async ({ db, people, workSql, endOf }) => {
    await db.query(`grant ${testRoles}_operator to ${people.web}`)
    const operator = await people.as(people.web)
    const { id } = await operator.enqueue(enqueue({ sql: 'select current_user' }))
    await workSql()

    expect((await endOf(id)).output.results[0]?.rows).toEqual([[people.web]])
    expect(await operator.task(id)).toMatchObject({
      submitted_by: people.web,
      payload: { role: people.web },
    })
  })

  test('the rights of the role hold while it runs, and the completion is not its own', async ({
    engine,
    people,
    runSql,
    workSql,
  }) => {
    await engine.rows('create table secret (a int)')
    await workSql()

    const { error } = await runSql({
      sql: `select * from ${await engine.value('select current_schema()')}.secret`,
      role: people.reader,
    })
    const { output } = await runSql({ sql: 'create temp table t (a int)', role: people.reader })

    expect(error).toMatchObject({ code: '42501' })
    expect(output.delivery).toBe('exactly_once')
  })

  test('sessions with a login of their own keep SQL from reaching any further', async ({
    engine,
    schema,
    weakLogin,
    people,
    work,
    runSql,
  }) => {
    await engine.rows(`grant ${people.reader} to ${weakLogin.role}`)
    await work({ sql: { database: weakLogin.url, allowConnectionStrings: true } })

    const reset = await runSql({ sql: `reset role; select current_user`, role: people.reader })
    const reach = await runSql({
      sql: `reset role; select ${schema}.complete(1, 1)`,
      role: people.reader,
    })
    const write = await runSql({ sql: 'create temp table t (a int)', role: people.reader })
    const other = await runSql({ sql: 'select 1', role: 'postgres' })
    const home = await runSql({ sql: 'select session_user', connection: { dsn: '' } })

    expect(reset.output.results[1]?.rows).toEqual([[weakLogin.role]])
    expect(reach.error).toMatchObject({ code: '42501' })
    expect(write.output.delivery).toBe('at_least_once')
    expect(other.error).toMatchObject({ code: '42501', message: expect.stringContaining('role') })
    expect(home.output.results[0]?.rows).toEqual([[weakLogin.role]])
  })

  test('a role that a session requires gives no right to that role', async ({ engine, people }) => {
    await engine.rows('select allow_sql($1)', people.web)
    const web = await people.as(people.web)
    await web.rows(`set tusk.sql_role = 'postgres'`)

    await expect(web.enqueue(enqueue({ sql: 'select 1' }))).rejects.toMatchObject(
      refused(`${people.web} may not have SQL run as 'postgres'`),
    )
    await expect(web.enqueue(enqueue({ sql: 'select 1', role: people.web }))).rejects.toMatchObject(
      refused(`runs as postgres, not as '${people.web}'`),
    )
  })

  test('no role changes the SQL of another in its name', async ({ db, engine, people }) => {
    await db.query(`grant ${testRoles}_operator to ${people.web}`)
    const operator = await people.as(people.web)
    const { id } = await engine.enqueue({ ...enqueue({ sql: 'select 1' }), key: 'k' })

    await operator.enqueue({ ...enqueue({ sql: 'select 2' }), key: 'k', onDuplicate: 'replace' })
    const replaced = await engine.task(id)
    await expect(
      operator.enqueue({
        queue: 'sql',
        key: 'k',
        onDuplicate: 'replace',
        payload: { sql: 'x', role: 'postgres' },
      }),
    ).rejects.toMatchObject(refused('held by a task of kind sql'))
    await engine.cancel(id)
    await operator.retry(id, null, { sql: 'select 3' })
    const retried = await engine.task(id)
    await engine.cancel(id)

    expect(replaced).toMatchObject({
      submitted_by: people.web,
      payload: { sql: 'select 2', role: people.web },
    })
    expect(retried).toMatchObject({
      submitted_by: people.web,
      payload: { sql: 'select 3', role: people.web },
    })
    await expect(
      operator.retry(id, null, { sql: 'select 4', role: 'postgres' }),
    ).rejects.toMatchObject(refused(`may not have SQL run as 'postgres'`))
  })

  const misfits: readonly (readonly [object | string, string])[] = [
    ['select 1', 'an object such as'],
    [{}, 'either "sql" or "statement"'],
    [{ sql: 'x', statement: 'y' }, 'either "sql" or "statement"'],
    [{ sql: 1 }, 'sql must be text'],
    [{ sql: 'x', quer: 1 }, `'quer', which means nothing`],
    [{ sql: 'x', max_rows: -1 }, 'max_rows'],
    [{ sql: 'x', connection: 5 }, 'connection must be a name'],
    [{ sql: 'x', connection: { host: 'x' } }, 'connection must be a name'],
    [{ sql: 'x', connection: 'nowhere' }, `no connection named 'nowhere'`],
    [{ sql: 'x', settings: [] }, 'settings must be an object'],
    [{ sql: 'x', settings: { role: 'postgres' } }, 'cannot be set'],
    [{ sql: 'x', settings: { Session_Authorization: 'p' } }, 'cannot be set'],
    [{ sql: 'x', settings: { 'a b': 'p' } }, 'cannot be set'],
    [{ sql: 'x', session: { live: 'soon' } }, 'live must be an interval'],
    [{ sql: 'x', session: { live: 'infinity' } }, 'live must be an interval'],
    [{ sql: 'x', settings: { Client_Encoding: 'LATIN1' } }, 'client_encoding cannot be set'],
    [{ sql: 'x', session: { count: -1 } }, 'count a number'],
    [{ sql: 'x', session: { mode: 1 } }, 'session must be an object'],
    [{ sql: 'x', params: [1] }, 'params belong to a registered statement'],
    [{ statement: 'nope' }, `no statement named 'nope'`],
  ]

  test.for(misfits)('an invalid payload is refused: %j', async ([payload, why], { engine }) => {
    await expect(
      engine.enqueue({ queue: 'sql', kind: 'sql', payload: payload as never }),
    ).rejects.toMatchObject(refused(why))
  })
})

describe('a registered statement', () => {
  test('runs for those it was granted to, with bound parameters, as its own role', async ({
    engine,
    schema,
    people,
    workSql,
    endOf,
  }) => {
    await engine.rows('create table account (id int, is_on boolean default false)')
    await engine.rows(`insert into account values (7), (8)`)
    await engine.rows(`select set_statement('switch_on', $1)`, {
      sql: `update ${schema}.account set is_on = $2 where id = $1 returning id, is_on, current_user <> session_user as weak`,
      params: ['account', 'on'],
      granted_to: [people.web],
    })
    const web = await people.as(people.web)
    await workSql()

    const id = await web.value<string>(
      `select statement('switch_on', '{"account": 7, "on": true}')`,
    )
    const { output } = await endOf(id)

    expect(output).toMatchObject({
      delivery: 'exactly_once',
      results: [{ rows: [['7', 't', 'f']] }],
    })
    expect(await engine.rows('select id, is_on from account order by id')).toEqual([
      { id: 7, is_on: true },
      { id: 8, is_on: false },
    ])
  })

  test('takes its parameters as they are, whatever they say', async ({
    engine,
    people,
    workSql,
    endOf,
  }) => {
    await engine.rows(`select set_statement('echo', $1)`, {
      sql: 'select $1::text as said, $2::jsonb as more',
      params: ['said', 'more'],
      granted_to: ['*'],
    })
    const web = await people.as(people.web)
    await workSql()
    const said = `'; drop table x; --\\ é "`

    const { id } = await web.enqueue(
      enqueue({ statement: 'echo', params: { said, more: { a: [1] } } }),
    )

    expect((await endOf(id)).output.results[0]?.rows).toEqual([[said, '{"a": [1]}']])
  })

  test('is refused with what would change it, and to whom it was not granted', async ({
    engine,
    people,
  }) => {
    await engine.rows(
      `select set_statement('fixed', '{"sql": "select $1::int", "params": ["n"], "granted_to": ["${people.web}"]}')`,
    )
    await engine.rows(`select set_statement('private', '{"sql": "select 1"}')`)
    const web = await people.as(people.web)
    const tries: readonly (readonly [object, string])[] = [
      [{ statement: 'fixed', params: { n: 1 }, role: 'postgres' }, 'not role'],
      [{ statement: 'fixed', params: { n: 1 }, search_path: 'evil' }, 'not search_path'],
      [{ statement: 'fixed', params: { n: 1 }, settings: { a: 'b' } }, 'not settings'],
      [{ statement: 'fixed', params: { m: 1 } }, 'takes the parameters n'],
      [{ statement: 'fixed', params: [1, 2] }, 'takes 1 parameters'],
      [{ statement: 'fixed' }, 'needs params'],
      [{ statement: 'private' }, `no statement named 'private'`],
    ]

    for (const [payload, why] of tries) {
      await expect(web.enqueue(enqueue(payload))).rejects.toMatchObject(refused(why))
    }
  })
})
