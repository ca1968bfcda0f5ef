import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../../../src/dialects/pg-task/config.ts'
import { namesOf } from '../../../src/dialects/pg-task/task-place.ts'
import { TaskService } from '../../../src/dialects/pg-task/task-service.ts'
import { until } from '../../support/until.ts'

const made = randomBytes(4).toString('hex')
const [first, second] = [`served_${made}_1`, `served_${made}_2`]
const options = { engineSchema: 'tusk_test', dialectSchema: 'pgtask', allowRemote: false }
const admin = new pg.Client(inject('pgUrl'))
const said: string[] = []
const tell = (fields: object, message: string) => {
  said.push(`${message} ${JSON.stringify(fields)} ${String((fields as { err?: unknown }).err)}`)
}
const logger = { debug: () => {}, info: tell, warn: tell, error: tell }
const service = new TaskService({ baseUrl: inject('pgUrl'), logger })

beforeAll(() => admin.connect())
afterAll(async () => {
  await service.stop()
  for (const name of [first, second]) {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`drop role if exists ${name}`)
  }
  await admin.end()
})

/** Connections to the databases, once the service says that it serves them. */
async function withDatabases(
  use: (one: pg.Client, two: pg.Client) => Promise<void>,
): Promise<void> {
  const isServed = (name: string) => (line: string) =>
    line.startsWith(`serving a task table {"data":"${name}"`)
  await until(async () => said.some(isServed(first)) && said.some(isServed(second)))
  const clients = [first, second].map((database) => {
    const url = new URL(inject('pgUrl'))
    url.pathname = `/${database}`
    return new pg.Client(url.href)
  })
  try {
    await Promise.all(clients.map((client) => client.connect()))
    await use(...(clients as [pg.Client, pg.Client]))
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/** What a task gives, inserted by the role that the table is for. */
async function outputOf(client: pg.Client, table: string, role: string): Promise<string> {
  await client.query(`set role ${role}`)
  const inserted = await client.query<{ id: string }>(
    `insert into ${table} (input) values ('select current_user') returning id`,
  )
  const look = `select output from ${table} where id = ${inserted.rows[0]?.id} and state = 'DONE'`
  await until(async () => ((await client.query(look)).rowCount ?? 0) > 0)
  const { rows: ended } = await client.query<{ output: string }>(look)
  await client.query('reset role')
  return ended[0]?.output ?? ''
}

describe('one process for many databases', () => {
  test('makes role, database, schema and table, and is not disturbed by one that is down', async () => {
    const tables = [
      { data: 'nowhere', url: 'postgres://ada:secret@127.0.0.1:1/x' },
      { data: first },
      { user: second, schema: 'some schema', table: 'jobs', sleep: 100, reset: '5 s', run: 2 },
    ]

    await service.apply({ ...options, tables })

    await withDatabases(async (one, two) => {
      expect(await outputOf(one, 'public.task', first)).toBe(first)
      expect(await outputOf(two, '"some schema".jobs', second)).toBe(second)
    })
    const { rows } = await admin.query(
      `select datname, pg_get_userbyid(datdba) as owner from pg_database where datname in ($1, $2) order by 1`,
      [first, second],
    )
    expect(rows).toEqual([first, second].map((name) => ({ datname: name, owner: name })))
    expect(said.join('\n')).toContain('cannot be served; trying again {"data":"nowhere"')
    expect(said.join('\n')).not.toContain('secret')
  })

  test('follows its configuration without disturbing what stays', async () => {
    await withDatabases(async (one, two) => {
      const workers = async (client: pg.Client) =>
        (await client.query('select id from tusk_test.workers')).rows
      const before = await workers(one)

      await service.apply({ ...options, tables: [{ data: first }] })

      expect(await workers(two)).toEqual([])
      expect(said.at(-1)).toContain(`no longer serving a task table {"data":"${second}"`)
      expect(await workers(one)).toEqual(before)
    })
  })
})

describe('the configuration', () => {
  test('is the paper’s: databases and users are named like one another', () => {
    const { tables } = readConfig(
      '[{"data":"database1"},{"data":"database2","user":"username2"},{"user":"u3"},{"data":"database5","sleep":100},{}]',
    )

    expect(tables.map(namesOf)).toEqual([
      { data: 'database1', user: 'database1' },
      { data: 'database2', user: 'username2' },
      { data: 'u3', user: 'u3' },
      { data: 'database5', user: 'database5' },
      { data: 'postgres', user: 'postgres' },
    ])
  })

  test('may be an object that says more', () => {
    expect(readConfig('{"tables": [{"data": "a"}], "allowRemote": true}')).toEqual({
      ...{ tables: [{ data: 'a' }], allowRemote: true },
      ...{ engineSchema: 'tusk', dialectSchema: 'pgtask' },
    })
  })

  test.for([
    ['nonsense', 'it is not JSON'],
    ['{}', 'it names no tables'],
    ['[7]', 'table 1 is not an object'],
    ['[{"databse": "a"}]', 'table 1 has databse, which means nothing'],
    ['[{"data": 7}]', 'data of table 1 must be a string'],
    ['[{}, {"sleep": 0}]', 'sleep of table 2 must be a whole number from 1'],
    ['{"tables": [], "colour": "red"}', 'the configuration has colour'],
    ['[{"url": "host=a password=b"}]', 'url of table 1 must be a URI such as'],
    ['[{"url": "postgres://ada:se/cret@h/x"}]', 'url of table 1 must be a URI such as'],
  ] as const)('refuses %s', ([text, message]) => {
    expect(() => readConfig(text)).toThrow(message)
  })
})
