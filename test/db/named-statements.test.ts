import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'

// Modules of their own: a process gives no more than 200 names, and other test files use them up.
vi.resetModules()
const { withNames } = await import('../../src/db/named-statements.ts')
const { ServerClient } = await import('../../src/db/server-client.js')

async function connect(connectionString: string): Promise<InstanceType<typeof ServerClient>> {
  const client = new ServerClient({ connectionString, session: {} })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const named = `select count(*)::integer as n from pg_prepared_statements where name like 'tusk\\_%'`

describe('a statement with a name', () => {
  test('is prepared once per session', async () => {
    const client = await connect(inject('pgUrl'))
    const db = withNames(client)

    for (const n of [1, 2, 3]) {
      expect((await db.query('select $1::integer as n', [n])).rows).toEqual([{ n }])
    }

    expect((await client.query(named)).rows).toEqual([{ n: 1 }])
  })

  test('is sent without it when its result has changed', async () => {
    const client = await connect(inject('pgUrl'))
    const db = withNames(client)
    await client.query('create temporary table named_test (a integer)')
    await db.query('select * from named_test where $1::boolean', [true])
    await client.query('drop table named_test')
    await client.query('create temporary table named_test (a text, b text)')
    await client.query(`insert into named_test values ('x', 'y')`)

    const { rows } = await db.query('select * from named_test where $1::boolean', [true])

    expect(rows).toEqual([{ a: 'x', b: 'y' }])
  })

  test('is not what several statements at once become', async () => {
    const client = await connect(inject('pgUrl'))

    await withNames(client).query('select 1; select 2')

    expect((await client.query(named)).rows).toEqual([{ n: 0 }])
  })

  test('fails with the error of its own', async () => {
    const db = withNames(await connect(inject('pgUrl')))

    await expect(db.query('select 1 / $1::integer', [0])).rejects.toMatchObject({ code: '22012' })
    expect((await db.query('select 1 / $1::integer as one', [1])).rows).toEqual([{ one: 1 }])
  })
})
