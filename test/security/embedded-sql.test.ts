import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findRunning } from '../../src/embedded/inspect.ts'
import { test as base, launchIn, query } from '../support/home.ts'
import { type InstalledProject, installProject } from '../support/installed-project.ts'

interface Ended {
  readonly state: string
  readonly output: { results: { rows: unknown[][] }[] } | null
  readonly error: { code: string; message: string } | null
}

interface Started {
  /** The superuser's, as `tusk start` prints it. */
  readonly databaseUrl: string
  ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, unknown> }>
  /** The task once it has ended. */
  ended(id: string): Promise<Ended>
  /** Sends SQL over HTTP and gives the task when it has ended. */
  run(payload: string | object): Promise<Ended>
}

const attacks: readonly (readonly [what: string, sql: string])[] = [
  ['a program', `copy (select 1) to program 'true'`],
  ['a program that feeds a table', `create temp table t (a text); copy t from program 'id'`],
  ['a file of the server', `select pg_read_file('postgresql.conf')`],
  ['a folder of the server', `select pg_ls_dir('.')`],
  ['a large object from a file', `select lo_import('/etc/passwd')`],
  ['the tokens', 'select * from tusk.tokens'],
  ['the secrets of the engine', 'select * from tusk.secrets'],
  ['the passwords', 'select rolpassword from pg_authid'],
  ['the rights of a superuser', 'alter role tusk_sql superuser'],
  ['another role', 'set role postgres'],
  ['the login behind the role', 'reset role; set session authorization postgres'],
  ['a new superuser', 'create role mallory superuser'],
  ['the program through a group', 'grant pg_execute_server_program to tusk_sql'],
  ['a setting of the server', `alter system set archive_command = 'true'`],
  ['a table of the person', 'create table public.planted (a int)'],
  ['a verb of the engine', `select tusk.enqueue('mail', '{}')`],
  ['another submitter', `set session tusk.sql_role = ''; select tusk.sql('select 1')`],
]

describe('SQL over HTTP under tusk start', () => {
  let project: InstalledProject
  beforeAll(async () => {
    project = await installProject()
  })
  afterAll(() => project.remove())

  const test = base.extend<{ started: Started }>({
    started: async ({ home }, use) => {
      const port = await freePort()
      const process = project.tusk(['start'], {
        env: { TUSK_HOME: home, TUSK_HTTP_PORT: String(port) },
      })
      await process.says('postgres://')
      await use(await openStarted(home, port))
      process.send('SIGTERM')
      expect(await process.ended).toMatchObject({ code: 0 })
    },
  })

  test('runs what a person tries first', async ({ started }) => {
    const now = await started.run('select now()')
    const vacuum = await started.run('vacuum analyze')
    const own = await started.run(
      'create table notes (a int); insert into notes values (7); select a from notes',
    )

    expect(now).toMatchObject({ state: 'done' })
    expect(vacuum).toMatchObject({ state: 'done' })
    expect(own.output?.results.at(-1)?.rows).toEqual([['7']])
  })

  test('reaches nothing that is not its own', async ({ started }) => {
    const ended: unknown[] = []
    for (const [what, sql] of attacks) {
      const { state, error } = await started.run(sql)
      ended.push([what, state, error?.code])
    }

    expect(ended).toEqual(attacks.map(([what]) => [what, 'failed', '42501']))
  })

  test('runs as the low role whatever the request says', async ({ started }) => {
    const { ask, run } = started
    const sql = { queue: 'sql', kind: 'sql' }
    const asked = await ask('POST', '/tasks', {
      ...sql,
      payload: { sql: 'select 1', role: 'postgres' },
    })
    const text = '{"sql": "select 1", "role": "tusk_sql", "role": "postgres"}'
    const asText = await ask('POST', '/tasks', { ...sql, payload_text: text })
    const string = await ask('POST', '/tasks', {
      ...sql,
      payload: { sql: 'select 1', connection: { dsn: 'dbname=tusk' } },
    })
    const planned = await ask('PUT', '/schedules/p', {
      every: '1 hour',
      task: { ...sql, payload: { sql: 'select 1', role: 'postgres' } },
    })

    for (const { status, body } of [asked, asText, planned]) {
      expect({ status, detail: body['detail'] }).toEqual({
        status: 422,
        detail: expect.stringContaining('runs as tusk_sql'),
      })
    }
    expect(string).toMatchObject({ status: 422 })
    expect(
      (await run({ sql: 'select current_user, session_user', role: 'tusk_sql' })).output,
    ).toMatchObject({ results: [{ rows: [['tusk_sql', 'tusk_sql']] }] })
  })

  test('stays the low role in schedules and in payloads that are changed', async ({ started }) => {
    const { ask, ended, databaseUrl } = started
    const task = { queue: 'sql', kind: 'sql', payload: { sql: 'select current_user' } }
    expect(await ask('PUT', '/schedules/p', { every: '1 hour', task })).toMatchObject({
      status: 201,
    })
    expect(await ask('PUT', '/schedules/p', { every: '1 hour', task })).toMatchObject({
      status: 200,
    })
    const [kept] = await query(databaseUrl, `select revision from tusk.schedule where name = 'p'`)
    // A worker fires it, on a connection that knows of no HTTP.
    const [fired] = await query(databaseUrl, `select tusk.run_schedule('p')::text as id`)
    const scheduled = await ended(String(fired?.['id']))

    // The superuser's own task, brought back over HTTP with another text.
    const [mine] = await query(
      databaseUrl,
      `select tusk.sql('select 1/0', p_max_attempts => 1)::text as id`,
    )
    const id = String(mine?.['id'])
    await ended(id)
    const retried = await ask('POST', `/tasks/${id}/retry`, {
      payload: { sql: 'select session_user' },
    })
    const again = await ended(id)

    expect(kept).toEqual({ revision: 1 })
    expect(scheduled.output?.results[0]?.rows).toEqual([['tusk_sql']])
    expect(retried).toMatchObject({ status: 200 })
    expect(again.output?.results[0]?.rows).toEqual([['tusk_sql']])
  })

  test('leaves SQL of the superuser, who needs no HTTP, as it was', async ({ started }) => {
    const { databaseUrl, ended } = started
    const [task] = await query(databaseUrl, `select tusk.sql('select session_user')::text as id`)

    const { output } = await ended(String(task?.['id']))

    expect(output?.results[0]?.rows).toEqual([['postgres']])
  })

  base(
    'gives the low role to a cluster that is there already, and takes back what it took',
    async ({ home }) => {
      const before = await launchIn(home, { bin: undefined })
      await query(
        before.url,
        `create role tusk_sql superuser; alter role tusk_sql set search_path = evil`,
      )
      const port = await freePort()
      const process = project.tusk(['start'], {
        env: { TUSK_HOME: home, TUSK_HTTP_PORT: String(port) },
      })
      await process.says('postgres://')

      const { run } = await openStarted(home, port)
      const path = await run('show search_path')
      const refused = await run(`copy (select 1) to program 'true'`)
      process.send('SIGTERM')
      await process.ended

      expect(path.output?.results[0]?.rows).toEqual([['"$user", public']])
      expect(refused.error).toMatchObject({ code: '42501' })
    },
  )
})

async function openStarted(home: string, port: number): Promise<Started> {
  const token = (await readFile(join(home, 'token.tusk'), 'utf8')).trim()
  const databaseUrl = (await findRunning(home))?.url ?? ''
  const ask: Started['ask'] = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'wait=20',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const ended: Started['ended'] = async (id) => {
    for (;;) {
      const { body } = await ask('GET', `/tasks/${id}`)
      if (['done', 'failed', 'cancelled'].includes(String(body['state']))) {
        return body as unknown as Ended
      }
    }
  }
  const run: Started['run'] = async (payload) => {
    const given = typeof payload === 'string' ? { sql: payload } : payload
    const task = { queue: 'sql', kind: 'sql', payload: given, max_attempts: 1 }
    return ended(String((await ask('POST', '/tasks', task)).body['id']))
  }
  return { databaseUrl, ask, ended, run }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
