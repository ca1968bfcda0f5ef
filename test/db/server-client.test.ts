import { type AddressInfo, createServer, type Server } from 'node:net'
import pg from 'pg'
import { test as base, describe, expect, inject } from 'vitest'
import { ServerClient } from '../../src/db/server-client.js'
import { openProxy, type Proxy as Way } from '../support/proxy.ts'
import { until } from '../support/until.ts'

const limit = 60_000

const test = base.extend<{ proxy: Way; refusing: number; silent: Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from this pattern.
  proxy: async ({}, use) => {
    const proxy = await openProxy(inject('pgUrl'))
    await use(proxy)
    await proxy.close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from this pattern.
  refusing: async ({}, use) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    await use(port)
  },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from this pattern.
  silent: async ({}, use) => {
    const sockets = new Set<{ destroy(): void }>()
    const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use(server)
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  },
})

/** The test's database behind a list of places. */
function urlWith(places: readonly string[], query = ''): string {
  const { username, password, pathname } = new URL(inject('pgUrl'))
  return `postgres://${username}:${password}@${places.join(',')}${pathname}${query}`
}

const real = () => `${new URL(inject('pgUrl')).hostname}:${new URL(inject('pgUrl')).port}`

async function connect(connectionString: string): Promise<ServerClient> {
  const client = new ServerClient({ connectionString })
  await client.connect()
  return client
}

describe('a client with several servers to choose from', () => {
  test('passes by one that refuses and one that never answers', { timeout: limit }, async ({
    refusing,
    silent,
  }) => {
    const { port } = silent.address() as AddressInfo
    const url = urlWith(
      [`127.0.0.1:${refusing}`, `127.0.0.1:${port}`, real()],
      '?connect_timeout=2',
    )

    const client = await connect(url)

    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
  })

  test('names what is wrong with each when none will do', async ({ refusing }) => {
    const url = urlWith([`127.0.0.1:${refusing}`, real()], '?target_session_attrs=standby')

    await expect(connect(url)).rejects.toMatchObject({
      code: '08001',
      message: expect.stringMatching(
        new RegExp(`${refusing}/.*: .*ECONNREFUSED.*server is not in hot standby mode`),
      ),
    })
  })

  test('does not pass by one that refuses the login', async () => {
    const { pathname } = new URL(inject('pgUrl'))
    const url = `postgres://nobody_known:wrong@${real()},${real()}${pathname}`

    await expect(connect(url)).rejects.toMatchObject({ code: expect.stringMatching(/^28/) })
  })

  test('takes a server that takes writes, and knows when it no longer does', async () => {
    const client = await connect(urlWith([real(), real()]))
    expect(await client.misplacement()).toBeUndefined()

    await client.query('set default_transaction_read_only = on')

    expect(await client.misplacement()).toBe('session is read-only')
    await client.end()
  })

  test('serves a pool, which ends as any other', async ({ refusing }) => {
    const connectionString = urlWith([`127.0.0.1:${refusing}`, real()])
    const pool = new pg.Pool({ connectionString, Client: ServerClient as never })

    const answers = await Promise.all([1, 2, 3].map((n) => pool.query('select $1::int as n', [n])))

    expect(answers.map(({ rows }) => rows[0])).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    await pool.end()
  })

  test('goes no further when it is ended while it connects', { timeout: limit }, async ({
    silent,
  }) => {
    const { port } = silent.address() as AddressInfo
    const client = new ServerClient({ connectionString: urlWith([`127.0.0.1:${port}`, real()]) })

    const connecting = client.connect().then(
      () => 'connected',
      () => 'ended',
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    client.giveUp()

    expect(await connecting).toBe('ended')
  })
})

describe('a connection that falls silent', () => {
  test('fails the statement under way, and those behind it', { timeout: limit }, async ({
    proxy,
  }) => {
    const client = await connect(proxy.url)
    proxy.silence()

    const first = client.query('select 1').catch((error: unknown) => error)

    expect(await first).toMatchObject({ code: 'ETIMEDOUT', message: /fell silent/ })
    await expect(client.query('select 2')).rejects.toThrow(/not queryable/)
  })

  test('is found although only this one is silent', { timeout: limit }, async ({ proxy }) => {
    const client = await connect(proxy.url)
    proxy.forget()

    await expect(client.query('select 1')).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: /its process is idle/,
    })
  })

  test('is not mistaken for one whose statement takes long', { timeout: limit }, async ({
    proxy,
  }) => {
    const client = await connect(proxy.url)

    const { rows } = await client.query('select pg_sleep(8), 1 as one')

    expect(rows[0]).toMatchObject({ one: 1 })
    await client.end()
  })

  test('is given up after its time limit, whatever the server does', { timeout: limit }, async ({
    proxy,
  }) => {
    const client = new ServerClient({ connectionString: proxy.url, query_timeout: 1_000 })
    await client.connect()

    await expect(client.query('select pg_sleep(50)')).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: /no answer within 1000 ms/,
    })
    await until(async () => (client as unknown as { _ended: boolean })._ended)
  })
})
