import { stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject } from 'vitest'
import { findRunning } from '../../src/embedded/inspect.ts'
import { query, test } from '../support/home.ts'
import { listening } from '../support/listening.ts'
import { until } from '../support/until.ts'

describe('the server of tusk start', () => {
  test('takes tasks and SQL from the token that it prints, which is the same the next time', async ({
    home,
  }) => {
    const answers: unknown[] = []
    const tokens: string[] = []

    const first = await listening(['start'], { TUSK_HOME: home }, async ({ url, token }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const get = async (path: string, more = {}) =>
        (await fetch(`${url}${path}`, { headers: more })).status
      const post = async (task: object, more = {}): Promise<unknown> => {
        const body = JSON.stringify(task)
        const request = { method: 'POST', headers: { ...headers, ...more }, body }
        return (await fetch(`${url}/api/v1/tasks`, request)).json()
      }
      tokens.push(token)
      answers.push(await get('/healthz'), await get('/api/v1/info'))
      answers.push(await get('/api/v1/info', headers))
      answers.push(await post({ queue: 'mail', payload: { to: 'ada' } }))
      const sql = { queue: 'sql', kind: 'sql', payload: { sql: 'select 7 as seven' } }
      answers.push(await post(sql, { prefer: 'wait=20' }))
    })
    const second = await listening(
      ['start', '-o', 'json'],
      { TUSK_HOME: home },
      async ({ token }) => void tokens.push(token),
    )

    expect([first.code, second.code]).toEqual([0, 0])
    expect(answers.slice(0, 3)).toEqual([200, 401, 200])
    expect(answers.slice(3)).toMatchObject([
      { outcome: 'created' },
      { task: { state: 'done', output: { results: [{ rows: [['7']] }] } } },
    ])
    expect(first.talk).toMatch(/^Dashboard {2}http:\/\/127\.0\.0\.1:\d+\/#token=tusk_/m)
    expect(first.talk).toMatch(/^ {2}curl http.*\n {2}TUSK_HOME=\S+ npx tusk task add/m)
    expect(JSON.parse(second.data)).toMatchObject({
      dashboard: expect.stringContaining('#token='),
      api: expect.stringMatching(/\/api\/v1$/),
      database: expect.stringMatching(/^postgres:/),
      token: tokens[0],
      schema: 'tusk',
    })
    expect(tokens[1]).toBe(tokens[0])
    expect((await stat(join(home, 'token.tusk'))).mode & 0o777).toBe(0o600)
    expect(await findRunning(home)).toBeUndefined()
  })

  test('makes a token for a day in a database of others, and revokes it when it stops', async ({
    home,
  }) => {
    const schema = 'start_token'
    const url = inject('pgUrl')
    const env = { TUSK_HOME: home, TUSK_SCHEMA: schema }
    const look = () =>
      query(
        url,
        `select state, expires_at < now() + interval '1 day 1 minute' as ends
         from ${schema}.token where name = 'tusk start'`,
      )
    const during: unknown[] = []

    const args = ['start', '--no-roles', '--database-url', url]
    const { code, talk } = await listening(args, env, async () => {
      during.push(...(await look()))
    })
    const after = await look()
    await query(url, `drop schema ${schema} cascade`)

    expect({ code, during }).toEqual({ code: 0, during: [{ state: 'alive', ends: true }] })
    expect(after).toEqual([{ state: 'revoked', ends: true }])
    // What it says to try finds the same engine; the URL itself is not repeated.
    expect(talk).toContain(
      `sql 'select now()' --wait --database-url "$DATABASE_URL" --schema ${schema}\n`,
    )
    expect(talk).toContain('Try it (with DATABASE_URL set to the URL that you gave)\n')
    expect(talk).not.toContain(url)
  })

  test('runs the handlers and applies the schedules of its configuration', async ({ home }) => {
    const url = inject('pgUrl')
    const schema = 'start_handlers'
    await writeFile(join(home, 'tasks.mjs'), 'export const greet = ({ name }) => "Hello, " + name')
    const config = join(home, 'tusk.json')
    await writeFile(
      config,
      JSON.stringify({
        database: { url, schema, roles: false },
        worker: { handlers: './tasks.mjs' },
        schedules: { later: { task: { queue: 'greet' }, every: '1 day' } },
      }),
    )
    const done = () => query(url, `select output from ${schema}.task where state = 'done'`)
    const found: unknown[] = []

    const { code } = await listening(
      ['--config', config, 'start'],
      { TUSK_HOME: home },
      async () => {
        await query(url, `select ${schema}.enqueue('greet', '{"name": "Ada"}')`)
        await until(async () => (await done()).length > 0)
        found.push(...(await done()), ...(await query(url, `select name from ${schema}.schedule`)))
      },
    )
    await query(url, `drop schema ${schema} cascade`)

    expect({ code, found }).toEqual({
      code: 0,
      found: [{ output: 'Hello, Ada' }, { name: 'later' }],
    })
  })

  test('says in one line that its port is in use, and stops what it had started', async ({
    home,
  }) => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const schema = 'start_twice'
    const env = { TUSK_HOME: home, DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }

    const args = ['start', '--no-roles', '--http-port', String(port)]
    const { code, talk } = await listening(args, env, async () => {})
    other.close()
    const workers = await query(env.DATABASE_URL, `select from ${schema}.worker`)
    await query(env.DATABASE_URL, `drop schema ${schema} cascade`)

    expect(code).toBe(2)
    expect(talk).toContain(`tusk: port ${port} of 127.0.0.1 is in use\nChoose another`)
    expect(workers).toEqual([])
  })
})
