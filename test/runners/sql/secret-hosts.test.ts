import { describe, expect } from 'vitest'
import { isNear } from '../../../src/runners/sql/connections/places.ts'
import { Targets } from '../../../src/runners/sql/connections/targets.ts'
import { test } from '../../support/sql-tasks.ts'

const home = { host: '127.0.0.1', port: '5432', user: 'u', dbname: 'd', password: '' }

/** Where the worker would log in; nothing is connected. */
async function placesOf(options: object, hosts: Record<string, string[]> = {}, secret = 'hush') {
  const targets = new Targets({
    home: () => home,
    readConnection: async () => ({ options: options as never, secret: { callback: 'vault' } }),
    secrets: { callbacks: { vault: () => secret }, variables: undefined, folders: [], hosts },
    allowsStrings: false,
  })
  return (await (await targets.of('reports')).places()).map(({ config }) => config.host)
}

const refused = (host: string) => ({
  fault: 'connection_not_allowed',
  message: `this worker does not send the secret vault to the host "${host}"`,
  hint: expect.stringContaining('secretHosts'),
})

describe('the secret of a connection', () => {
  test('is sent to hosts that the worker names, and to its own machine', async () => {
    const hosts = { vault: ['Reports.example.org.', '10.0.0.1'] }

    expect(await placesOf({ host: 'reports.example.org' }, hosts)).toEqual(['reports.example.org'])
    expect(await placesOf({ host: 'reports.example.org', hostaddr: '10.0.0.1' }, hosts)).toEqual([
      '10.0.0.1',
    ])
    expect(await placesOf({ host: 'localhost,127.0.0.2,/run/pg,::1' })).toHaveLength(4)
    expect(await placesOf({ host: 'any.example.org' }, { vault: ['*'] })).toHaveLength(1)
  })

  test.for([
    ['no host is named for it', {}, { host: 'evil.example' }, 'evil.example'],
    ['the host is another', { vault: ['a.example'] }, { host: 'b.example' }, 'b.example'],
    [
      'the host begins alike',
      { vault: ['a.example'] },
      { host: 'a.example.evil' },
      'a.example.evil',
    ],
    ['the host is of another secret', { other: ['a.example'] }, { host: 'a.example' }, 'a.example'],
    ['one host of several is another', { vault: ['a'] }, { host: 'a,evil' }, 'evil'],
    ['the address is another', { vault: ['a'] }, { host: 'a', hostaddr: '10.6.6.6' }, '10.6.6.6'],
    ['the name hides an address', {}, { host: 'localhost', hostaddr: '10.6.6.6' }, '10.6.6.6'],
    ['the name only looks near', {}, { host: '127.0.0.1.evil' }, '127.0.0.1.evil'],
    ['the name is one of objects', {}, { host: 'constructor' }, 'constructor'],
  ] as const)('is not sent when %s', async ([, hosts, options, host]) => {
    await expect(placesOf(options, hosts as never)).rejects.toMatchObject(refused(host))
  })

  test('says its host itself when it is a whole connection string', async () => {
    expect(await placesOf({}, {}, 'postgres://u:hush@db.example/d')).toEqual(['db.example'])
  })

  test('is not repeated when it is not a connection string', async () => {
    const attempt = placesOf({ dbname: 'd' }, {}, 'hush')

    await expect(attempt).rejects.toMatchObject({
      fault: 'connection_string_invalid',
      message: 'the secret is not a connection string, and the connection names no host',
    })
  })

  test('is refused to a task in words that say what to do', async ({ engine, workSql, runSql }) => {
    process.env['TUSK_SECRET_FAR'] = 'hush'
    await engine.rows(`select set_connection('far', $1)`, {
      host: 'far.invalid',
      secret: { env: 'TUSK_SECRET_FAR' },
    })
    await workSql()

    const { error } = await runSql({ sql: 'select 1', connection: 'far' })

    expect(error).toMatchObject({
      code: 'connection_not_allowed',
      message: 'this worker does not send the secret TUSK_SECRET_FAR to the host "far.invalid"',
    })
  })
})

test('a host is near by its whole name', () => {
  const hosts = ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '/run/postgresql']
  const far = ['localhost.evil', '127.evil', '127.0.0.1.evil', '::1.evil', 'db', '128.0.0.1', '']

  expect(hosts.filter((host) => !isNear(host))).toEqual([])
  expect(far.filter((host) => isNear(host))).toEqual([])
})
