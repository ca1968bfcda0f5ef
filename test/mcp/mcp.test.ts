import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished } from 'vitest'
import { Tusk } from '../../src/client/tusk.ts'
import { createHttp } from '../../src/http/app.ts'
import { serveHttp } from '../../src/http/serve.ts'
import { mostCharacters } from '../../src/mcp/call-operation.ts'
import { test } from '../support/engine.ts'
import { type InstalledProject, installProject } from '../support/installed-project.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const sdk = join('node_modules', '@modelcontextprotocol')

let installed: InstalledProject
let withoutSdk: InstalledProject

beforeAll(async () => {
  installed = await installProject()
  withoutSdk = await installProject()
  await mkdir(join(installed.directory, 'node_modules'), { recursive: true })
  await symlink(join(checkout, sdk), join(installed.directory, sdk))
})

afterAll(async () => {
  await installed.remove()
  await withoutSdk.remove()
})

interface Agent {
  readonly tools: readonly Tool[]
  /** The tool of an operation, by what OpenAPI calls it. */
  tool(method: string, path: string): Promise<Tool | undefined>
  call(method: string, path: string, args?: object): Promise<{ isError: boolean; text: string }>
}

interface Door {
  readonly tusk: Tusk
  readonly scopes: readonly string[]
  readonly args?: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** The SDK's own client over a real process of `tusk mcp`. */
async function openAgent({ tusk, scopes, args = [], env }: Door): Promise<Agent> {
  const { token } = await tusk.tokens.create({ name: 'agent smith', scopes: [...scopes] })
  const main = join(installed.directory, 'dist', 'cli', 'main.js')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', ...definedIn(env), TUSK_TOKEN: token },
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  const { tools } = await client.listTools()
  const names = await operationIds(tusk)
  const tool: Agent['tool'] = async (method, path) =>
    tools.find(({ name }) => name === names.get(`${method} ${path}`))
  return {
    tools,
    tool,
    call: async (method, path, given = {}) => {
      const name = names.get(`${method} ${path}`) ?? 'unknown'
      const result = await client.callTool({ name, arguments: { ...given } })
      const [first] = result.content as { text: string }[]
      return { isError: result.isError === true, text: first?.text ?? '' }
    },
  }
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

async function operationIds(tusk: Tusk): Promise<Map<string, string>> {
  const http = await createHttp({ tusk, logger: false, dashboard: false })
  const response = await http.fetch(new Request('http://localhost/api/v1/openapi.json'))
  const { paths } = (await response.json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  await http.close()
  return new Map(
    Object.entries(paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(
        ([method, { operationId }]) =>
          [`${method} ${path.replace('/api/v1', '')}`, operationId] as const,
      ),
    ),
  )
}

const mcpTest = test.extend<{ tusk: Tusk; env: NodeJS.ProcessEnv }>({
  tusk: async ({ schema, db }, use) => {
    await db.query('select')
    const tusk = await Tusk.open({ database: inject('pgUrl'), schema, listen: false })
    await use(tusk)
    await tusk.close()
  },
  env: async ({ schema }, use) => use({ DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }),
})

describe('tusk mcp', () => {
  mcpTest(
    'offers reads only, even to a token that may do everything',
    async ({ tusk, env, db }) => {
      await db.query(`select enqueue('mail', '{"to": "ada"}')`)
      const agent = await openAgent({ tusk, env, scopes: ['admin'] })

      expect(agent.tools.length).toBeGreaterThan(20)
      expect(agent.tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
      const { isError, text } = await agent.call('get', '/tasks', { queue: 'mail' })
      expect(isError).toBe(false)
      expect(JSON.parse(text).items).toMatchObject([{ queue: 'mail', state: 'ready' }])
      expect((await agent.call('post', '/queues/{name}/pause', { name: 'mail' })).isError).toBe(
        true,
      )
      const { rows } = await db.query(`select from audit where action = 'pause'`)
      expect(rows).toEqual([])
    },
  )

  mcpTest('does actions on request, and the audit names the token', async ({ tusk, env, db }) => {
    await tusk.queues.set('mail', {})
    const agent = await openAgent({ tusk, env, scopes: ['operate'], args: ['--actions'] })

    const made = await agent.call('post', '/tasks', { body: { queue: 'mail', payload: { n: 1 } } })
    const paused = await agent.call('post', '/queues/{name}/pause', { name: 'mail' })

    expect(JSON.parse(made.text)).toMatchObject({ outcome: 'created' })
    expect(paused).toEqual({ isError: false, text: 'Done (204).' })
    const { rows } = await db.query(
      `select actor, token is not null as by_token, door from audit where action = 'pause'`,
    )
    expect(rows).toEqual([{ actor: 'agent smith', by_token: true, door: 'http' }])
    const hints = async (method: string, path: string) =>
      (await agent.tool(method, path))?.annotations
    expect(await hints('post', '/tasks')).toMatchObject({ destructiveHint: false })
    expect(await hints('delete', '/tasks/{id}')).toMatchObject({
      destructiveHint: true,
      idempotentHint: true,
    })
    expect(await hints('get', '/tasks')).toMatchObject({ readOnlyHint: true })
  })

  mcpTest('offers nothing that the token does not allow', async ({ tusk, env }) => {
    const agent = await openAgent({ tusk, env, scopes: ['read'], args: ['--actions'] })

    expect(await agent.tool('get', '/tasks')).toBeDefined()
    expect(await agent.tool('post', '/tasks')).toBeUndefined()
    expect(await agent.tool('get', '/audit')).toBeUndefined()
    expect(agent.tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
  })

  mcpTest('offers one part of the API, through a server', async ({ tusk }) => {
    const server = await serveHttp({ tusk, port: 0, logger: false, dashboard: false })
    onTestFinished(() => server.close())
    const args = ['--url', server.url, '--only', 'queues']
    const agent = await openAgent({ tusk, env: {}, scopes: ['read'], args })
    await tusk.queues.set('mail', {})

    const { text } = await agent.call('get', '/queues/{name}', { name: 'mail' })

    expect(JSON.parse(text)).toMatchObject({ queue: 'mail' })
    expect(await agent.tool('get', '/tasks')).toBeUndefined()
  })

  mcpTest('bounds what it answers', async ({ tusk, env, db }) => {
    await db.query(
      `select enqueue('mail', jsonb_build_object('text', repeat('x', 2000), 'n', n)) from generate_series(1, 100) n`,
    )
    const agent = await openAgent({ tusk, env, scopes: ['read'] })

    const usual = await agent.call('get', '/tasks')
    const large = await agent.call('get', '/tasks', { limit: 100 })

    expect(JSON.parse(usual.text).items).toHaveLength(20)
    expect(large.text.length).toBeLessThan(mostCharacters + 200)
    expect(large.text).toContain(`… cut after ${mostCharacters} of `)
  })

  mcpTest('gives refusals of the API with their code, as errors', async ({ tusk, env }) => {
    const agent = await openAgent({ tusk, env, scopes: ['operate'], args: ['--actions'] })

    const missing = await agent.call('get', '/tasks/{id}', { id: '4711' })
    const unknown = await agent.call('get', '/tasks', { quue: 'mail' })
    const invalid = await agent.call('post', '/tasks', { body: { quue: 'mail' } })

    expect(missing.isError).toBe(true)
    expect(JSON.parse(missing.text)).toMatchObject({ code: 'task_not_found' })
    expect(unknown.isError).toBe(true)
    expect(unknown.text).toMatch(/has no argument quue\. Its arguments: .*queue/)
    expect(JSON.parse(invalid.text)).toMatchObject({ code: 'invalid_request' })
  })

  mcpTest('describes every tool with a schema that can be used', async ({ tusk, env }) => {
    const agent = await openAgent({ tusk, env, scopes: ['admin', 'sql'], args: ['--actions'] })
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)

    for (const { name, inputSchema, title, description } of agent.tools) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(title, name).toMatch(/\S/)
      expect(description, name).toMatch(/\S/)
      expect(() => ajv.compile(inputSchema), name).not.toThrow()
    }
    const enqueue = await agent.tool('post', '/tasks')
    expect(ajv.validate(enqueue?.inputSchema ?? {}, { body: { queue: 'mail' } })).toBe(true)
    expect(ajv.validate(enqueue?.inputSchema ?? {}, {})).toBe(false)
  })

  const start = (project: InstalledProject, env: NodeJS.ProcessEnv) =>
    project.tusk(['mcp'], { env }).ended

  mcpTest('says what is missing: a token, a right one, the SDK', async ({ tusk, env }) => {
    const { token } = await tusk.tokens.create({ name: 'agent', scopes: ['read'] })

    const noToken = await start(installed, env)
    const wrong = await start(installed, { ...env, TUSK_TOKEN: 'tusk_AAAAAAAA_wrong' })
    const noSdk = await start(withoutSdk, { ...env, TUSK_TOKEN: token })

    expect(noToken.code).toBe(2)
    expect(noToken.stderr).toContain('tusk token create agent --scope read')
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('invalid, expired or revoked token')
    expect(noSdk.code).toBe(2)
    expect(noSdk.stderr).toContain('npm install @modelcontextprotocol/sdk')
  })

  mcpTest('ends when the agent has gone', async ({ tusk, env }) => {
    const { token } = await tusk.tokens.create({ name: 'agent', scopes: ['read'] })

    // Its standard input is /dev/null, which has an end at once.
    const { code, stdout } = await start(installed, { ...env, TUSK_TOKEN: token })

    expect(code).toBe(0)
    expect(stdout).toBe('')
  })
})
