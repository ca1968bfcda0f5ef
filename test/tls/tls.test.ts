import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Tusk } from '../../src/client/tusk.ts'
import { migrate } from '../../src/db/migrate.ts'
import { parseConninfo } from '../../src/runners/sql/connections/conninfo.ts'
import { homeOf, placesOf } from '../../src/runners/sql/connections/places.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { tusk as cli } from '../support/cli.ts'
import { describeWithTls, openTlsServer, type TlsServer } from '../support/tls.ts'
import { until } from '../support/until.ts'
import { signalled } from '../support/worker.ts'

/** What the driver may be given; each of them stands for its TLS settings alone. */
const ways: readonly [string, (server: TlsServer) => string | pg.ClientConfig][] = [
  ['sslmode=verify-full', ({ url, ca }) => url({ sslmode: 'verify-full', sslrootcert: ca })],
  ['sslmode=require', ({ url, ca }) => url({ sslmode: 'require', sslrootcert: ca })],
  [
    'sslmode=require as libpq has it',
    ({ url }) => url({ sslmode: 'require', uselibpqcompat: 'true' }),
  ],
  ['sslmode=no-verify', ({ url }) => url({ sslmode: 'no-verify' })],
  [
    'settings of the driver',
    // A name that the certificate does not have, a check that does not mind, and a certificate of one's own.
    ({ url, ca, client }) => ({
      connectionString: url({}).replace('localhost', '127.0.0.1'),
      ssl: {
        ca: readFileSync(ca, 'utf8'),
        cert: readFileSync(client.certificate, 'utf8'),
        key: readFileSync(client.key, 'utf8'),
        checkServerIdentity: () => undefined,
      },
    }),
  ],
]

describeWithTls('with TLS', () => {
  let server: TlsServer
  beforeAll(async () => {
    server = await openTlsServer()
  })
  afterAll(() => server.close())

  describe.for(ways)('by %s', ([, way]) => {
    test('client, worker, its leases, LISTEN and SQL all talk in secret', async () => {
      const database = way(server)
      const said: string[] = []
      const hear = (_: object, message: string) => said.push(message)
      const log = { debug: hear, info: hear, warn: hear, error: hear }
      const pool = new pg.Pool(
        typeof database === 'string' ? { connectionString: database } : database,
      )
      const tusk = await Tusk.open({ database: pool })
      onTestFinished(() => pool.end())
      onTestFinished(() => tusk.close())
      const { promise: mayEnd, resolve: end } = signalled()
      const worker = await startWorker({
        database,
        sql: true,
        leaseMs: 3_000,
        tasks: { mail: async () => mayEnd.then(() => 'sent') },
        queues: ['mail', 'sql'],
        signals: false,
        logger: log,
        chores: { strategy: 'advisory' },
      })
      onTestFinished(() => worker.stop({ deadlineMs: 0 }))

      const [mail, sql] = [await tusk.enqueueTask({ queue: 'mail' }), await tusk.sql('select 1')]
      const outputs = Promise.all([mail.wait(), sql.wait()])
      await until(async () => namesOf(await connections(server)).size === all.size)
      // Longer than a lease: the thread must have renewed it.
      await until(async () => (await renewals(server, mail.id)) > 0)
      const open = await connections(server)
      end()

      expect(await outputs).toMatchObject(['sent', { results: [{ tag: 'SELECT 1' }] }])
      expect(open.filter(({ ssl }) => !ssl)).toEqual([])
      const isKnown = typeof database === 'object'
      expect(open.filter(({ client }) => (client === '/CN=client') !== isKnown)).toEqual([])
      expect(namesOf(open)).toEqual(all)
      expect(said.filter((line) => /failed|lost|not listening/.test(line))).toEqual([])
    })
  })

  test('a SQL task that names no server talks as the worker does', async () => {
    const { ca, url } = server
    const home = homeOf({ connectionString: url({ sslmode: 'verify-full', sslrootcert: ca }) })
    const tlsOf = (conninfo: string) => placesOf(parseConninfo(conninfo), home)[0]?.config.ssl

    expect(tlsOf('dbname=tusk')).toEqual({ ca: readFileSync(ca, 'utf8') })
    expect(tlsOf('dbname=tusk sslmode=disable')).toBe(false)
    expect(tlsOf('host=elsewhere')).toMatchObject({ rejectUnauthorized: false })
  })

  test('the doctor looks, and says what is in the way', async () => {
    const good = server.url({ sslmode: 'verify-full', sslrootcert: server.ca })
    const bad = server.url({ sslmode: 'verify-full', sslrootcert: server.otherCa })

    const well = await cli(['doctor', '--only', 'version'], { DATABASE_URL: good })
    const refused = await cli(['doctor'], { DATABASE_URL: bad })

    expect(well).toMatchObject({ code: 0 })
    expect(refused.code).toBe(1)
    expect(refused.talk).toContain('its certificate is not trusted')
    expect(refused.talk).toContain('sslrootcert=')
  })

  test.for([
    [
      'a CA that does not vouch for it',
      (s: TlsServer) => s.url({ sslmode: 'verify-full', sslrootcert: s.otherCa }),
    ],
    ['no CA at all', (s: TlsServer) => s.url({ sslmode: 'require' })],
    [
      'another name than its own',
      (s: TlsServer) =>
        s.url({ sslmode: 'verify-full', sslrootcert: s.ca }).replace('localhost', '127.0.0.1'),
    ],
  ] as const)('a server is refused with %s', async ([, urlOf]) => {
    const url = urlOf(server)
    const error = {
      code: 'database_unreachable',
      message: expect.stringContaining('its certificate is not trusted'),
      hint: expect.stringContaining('sslrootcert='),
    }

    await expect(Tusk.open({ database: url })).rejects.toMatchObject(error)
    await expect(migrate(url)).rejects.toMatchObject(error)
    await expect(
      startWorker({
        database: url,
        tasks: { mail: async () => {} },
        signals: false,
        logger: false,
      }),
    ).rejects.toMatchObject(error)
  })
})

/** The clients that connect; the pool of the application has no name. */
const all = new Set(['tusk worker', 'tusk sql', 'tusk chores', 'tusk client', ''])

function namesOf(open: readonly Connection[]): Set<string> {
  return new Set(open.map(({ name }) => name.replace(/ chores.*/, ' chores')))
}

interface Connection {
  readonly name: string
  readonly ssl: boolean
  readonly client: string | null
}

/** Without those of the test itself, and of the process that launched the cluster. */
function connections({ ask }: TlsServer): Promise<Connection[]> {
  return ask(`select application_name as name, ssl, client_dn as client
              from pg_stat_activity join pg_stat_ssl using (pid)
              where client_addr is not null and state is not null and state <> 'starting'
                and application_name not in ('test', 'tusk cluster')`)
}

async function renewals({ ask }: TlsServer, id: string): Promise<number> {
  const [row] = await ask<{ renewed: number }>(
    `select count(*)::integer as renewed from tusk.task
     where id = ${id} and lease_expires_at > claimed_at + interval '3.5 seconds'`,
  )
  return row?.renewed ?? 0
}
