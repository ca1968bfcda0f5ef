import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { makeCa, makePair } from '../support/certificates.ts'
import { type Said, tusk } from '../support/cli.ts'
import { test as base, startProcess } from '../support/processes.ts'
import { describeWithTls } from '../support/tls.ts'

interface Endpoint {
  readonly port: number
  /** The certificate of the CA that vouches for the endpoint as `localhost`. */
  readonly ca: string
  readonly got: { readonly body: string; readonly signature: unknown }[]
}

interface PushFixtures {
  endpoint: Endpoint
  run: (...args: string[]) => Promise<Said>
  /** Runs `tusk work --push --once` as a process of its own, which may reach the endpoint. */
  deliver: (env?: Readonly<Record<string, string>>) => Promise<number | null>
}

const test = base.extend<PushFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  endpoint: async ({}, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'tusk-push-'))
    const ca = await makeCa(directory, 'ca')
    const { key, certificate } = await makePair(directory, 'localhost', ca)
    const got: Endpoint['got'] = []
    const files = { key: await readFile(key), cert: await readFile(certificate) }
    const server = createServer(files, async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const signature = request.headers['webhook-signature']
      got.push({ body: Buffer.concat(chunks).toString(), signature })
      response.writeHead(200, { 'content-type': 'application/json' }).end('"received"')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await use({ port, ca: ca.certificate, got })
    await close(server)
    await rm(directory, { recursive: true })
  },
  run: async ({ db: _, schema }, use) => {
    await use((...args) => tusk(args, { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }))
  },
  deliver: async ({ build, endpoint, schema }, use) => {
    await use(async (env = {}) => {
      const { ended } = startProcess(
        [join(build, 'dist', 'cli', 'main.js'), 'work', '--push', '--once'],
        {
          DATABASE_URL: inject('pgUrl'),
          TUSK_SCHEMA: schema,
          TUSK_SECRET_PUSH: 'whsec_c2VjcmV0',
          TUSK_PUSH_ALLOW: `localhost:${endpoint.port},127.0.0.1:${endpoint.port}`,
          ...env,
        },
      )
      return (await ended).code
    })
  },
})

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

describeWithTls('a queue that is pushed over TLS', () => {
  test('is set up, listed, worked off and switched off by commands', async ({
    deliver,
    endpoint,
    engine,
    run,
  }) => {
    const url = `https://localhost:${endpoint.port}/tasks`
    const set = await run(
      ...['queue', 'push', 'hooks', '--url', url, '--secret', 'env:TUSK_SECRET_PUSH'],
      ...['--timeout', '20 seconds'],
    )
    expect(set).toMatchObject({ code: 0, talk: 'Queue hooks is pushed.\n' })
    expect(JSON.parse((await run('queue', 'pushes')).data)).toMatchObject([
      { queue: 'hooks', url, secrets: [{ env: 'TUSK_SECRET_PUSH' }], timeout: '00:00:20' },
    ])
    await engine.enqueue({ queue: 'hooks', payload: { to: 'ada' } })

    expect(await deliver({ NODE_EXTRA_CA_CERTS: endpoint.ca })).toBe(0)

    expect(await engine.rows('select state, output from task')).toEqual([
      { state: 'done', output: 'received' },
    ])
    expect(endpoint.got).toEqual([
      { body: expect.stringContaining('"data":{"to":"ada"}'), signature: expect.any(String) },
    ])
    expect((await run('queue', 'push', 'hooks', '--off')).talk).toBe('Queue hooks is not pushed.\n')
    expect(JSON.parse((await run('queue', 'pushes')).data)).toEqual([])
  })

  test.for([
    ['a CA that the worker does not know', 'localhost', false, /certificate/],
    ['a certificate for another name', '127.0.0.1', true, /does not match certificate/],
  ] as const)(
    'sends nothing to %s',
    async ([, host, isKnown, message], { deliver, endpoint, engine, run }) => {
      const url = `https://${host}:${endpoint.port}/tasks`
      await run('queue', 'push', 'hooks', '--url', url, '--secret', 'env:TUSK_SECRET_PUSH')
      await engine.enqueue({ queue: 'hooks', maxAttempts: 1 })

      await deliver(isKnown ? { NODE_EXTRA_CA_CERTS: endpoint.ca } : {})

      expect(await engine.value('select error from task')).toMatchObject({
        code: 'push_connection_failed',
        message: expect.stringMatching(message),
      })
      expect(endpoint.got).toEqual([])
    },
  )

  test.for([
    ['without a secret', ['hooks', '--url', 'https://example.org/'], 'needs --url and --secret'],
    [
      'with a secret in clear',
      ['hooks', '--url', 'https://example.org/', '--secret', 'whsec_x'],
      'Write env:NAME',
    ],
    ['with an url that is none', ['hooks', '--url', 'x', '--secret', 'env:A'], 'url must be'],
  ] as const)('is refused %s', async ([, args, message], { run }) => {
    expect(await run('queue', 'push', ...args)).toMatchObject({
      code: 2,
      talk: expect.stringContaining(message),
    })
    expect(JSON.parse((await run('queue', 'pushes')).data)).toEqual([])
  })
})
