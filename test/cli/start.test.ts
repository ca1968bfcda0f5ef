import { describe, expect, inject } from 'vitest'
import { findRunning } from '../../src/embedded/inspect.ts'
import { tusk } from '../support/cli.ts'
import { launchIn, query, test } from '../support/home.ts'
import { until } from '../support/until.ts'

describe('tusk start', () => {
  test('installs the engine, gives the connection string, and stops what it started', async ({
    home,
  }) => {
    const seen: unknown[] = []
    const stopRequested = async () => {
      const url = await untilInstalled(home)
      seen.push(await query(url, `select outcome from tusk.enqueue('mail', '{"to": "ada"}')`))
      await query(url, `select tusk.sql('select 7')`)
      await untilDone(url)
    }

    const { code, data, talk } = await tusk(['start'], envOf(home), stopRequested)

    expect({ code, data }).toEqual({
      code: 0,
      data: expect.stringMatching(/^postgres:\/\/.*\/tusk\n$/),
    })
    expect(talk).toContain('select * from tusk.enqueue')
    expect(seen).toEqual([[{ outcome: 'created' }]])
    expect(await findRunning(home)).toBeUndefined()
  })

  test('serves a task table that is made while it runs', async ({ home }) => {
    const states: unknown[] = []
    const stopRequested = async () => {
      const url = await untilInstalled(home)
      const { code } = await tusk(['dialect', 'install', 'pg-task'], { TUSK_HOME: home })
      expect(code).toBe(0)
      await query(url, `insert into task (input) values ('select 7')`)
      await until(async () => {
        states.push(...(await query(url, `select state, output from task where state = 'DONE'`)))
        return states.length > 0
      })
    }

    const { code } = await tusk(['start'], envOf(home), stopRequested)

    expect({ code, states }).toEqual({ code: 0, states: [{ state: 'DONE', output: '7' }] })
  })

  test.for([
    [[], { state: 'FAIL', output: '', error: expect.stringContaining('`--allow-remote`') }],
    [['--allow-remote'], { state: 'DONE', output: '7', error: null }],
  ] as const)(
    'with %j decides on tasks that bring a connection string',
    async ([options, expected], { home }) => {
      const rows: unknown[] = []
      const stopRequested = async () => {
        const url = await untilInstalled(home)
        await tusk(['dialect', 'install', 'pg_task'], { TUSK_HOME: home })
        await query(url, `insert into task (input, remote) values ('select 7', '${url}')`)
        await until(async () => {
          const text = `select state, output, error from task where state in ('DONE', 'FAIL')`
          rows.push(...(await query(url, text)))
          return rows.length > 0
        })
      }

      const { code } = await tusk(['start', ...options], envOf(home), stopRequested)

      expect({ code, rows }).toEqual({ code: 0, rows: [expected] })
    },
  )

  test('packs the counters of documents whose dialect is installed while it runs', async ({
    home,
  }) => {
    const counted: unknown[] = []
    const stopRequested = async () => {
      const url = await untilInstalled(home)
      const { code } = await tusk(['dialect', 'install', 'fetchq'], { TUSK_HOME: home })
      expect(code).toBe(0)
      await query(url, `select fetchq.queue_create('orders')`)
      await query(url, `select fetchq.doc_push('orders', 'a')`)
      await until(async () => {
        counted.push(
          ...(await query(url, `select value::int from fetchq.metrics where metric = 'ent'`)),
        )
        return counted.length > 0
      })
    }

    const { code } = await tusk(['start'], envOf(home), stopRequested)

    expect({ code, counted }).toEqual({ code: 0, counted: [{ value: 1 }] })
  })

  test('brings a dialect along that an older version installed', async ({ home }) => {
    await launchIn(home, { bin: undefined })
    const stopRequested = async () => {
      const url = await untilInstalled(home)
      await tusk(['dialect', 'install', 'fetchq'], { TUSK_HOME: home })
      await query(url, `update fetchq.installed set hash = 'old' where path = 'verbs/schema.sql'`)
    }
    await tusk(['start'], envOf(home), stopRequested)

    const { code, talk } = await tusk(['start'], envOf(home))

    expect(code).toBe(0)
    expect(talk).toContain('Dialect fetchq in schema fetchq is up to date now: 1 applied.')
  })

  test('leaves a cluster running that ran before', async ({ home }) => {
    const { pid } = await launchIn(home, { bin: undefined })

    const { code, talk } = await tusk(['start'], envOf(home))

    expect(code).toBe(0)
    expect(talk).toContain('Postgres keeps running')
    expect(await findRunning(home)).toMatchObject({ pid })
  })

  test('installs into the database it is given, and keeps its password to itself', async ({
    home,
  }) => {
    const env = { ...envOf(home), DATABASE_URL: inject('pgUrl') }
    const schema = 'Start here'

    const { code, data, talk } = await tusk(['start', '--no-roles', '--schema', schema], env)

    expect({ code, data }).toEqual({ code: 0, data: '' })
    expect(talk).toContain(`select * from \\"${schema}\\".enqueue(`)
    expect(talk).not.toContain(new URL(inject('pgUrl')).password || 'postgres://')
    await query(env.DATABASE_URL, `drop schema "${schema}" cascade`)
  })

  test.for([
    [
      'postgres://ada:secret@127.0.0.1:1/mail',
      1,
      'cannot reach Postgres at 127.0.0.1:1/mail: nothing listens there',
    ],
    [
      'postgres://ada:secret@no.such.host.invalid/mail',
      1,
      'cannot reach Postgres at no.such.host.invalid:5432/mail: ',
    ],
    ['postgres://ada:secret@:port/mail', 2, '--database-url must be a URL such as postgres://'],
    [
      'postgres://ada:secret@127.0.0.1:1/mail?sslrootcert=/no/such.crt',
      2,
      'the database URL cannot be used: ENOENT',
    ],
  ] as const)(
    'says in one line why %s is of no use, without its password',
    async ([url, code, line]) => {
      const answer = await tusk(['start', '--database-url', url])

      expect(answer).toMatchObject({
        code,
        data: '',
        talk: expect.stringContaining(`tusk: ${line}`),
      })
      expect(answer.talk).not.toContain('secret')
    },
  )
})

/** Any port that is free: tests run beside each other. */
function envOf(home: string) {
  return { TUSK_HOME: home, TUSK_HTTP_PORT: '0' }
}

/** Resolves when its worker has run a SQL task. */
async function untilDone(url: string): Promise<void> {
  const text = `select from tusk.task where kind = 'sql' and state = 'done'`
  await until(async () => (await query(url, text)).length > 0)
}

/** The URL of the cluster once the engine answers in it. */
async function untilInstalled(home: string): Promise<string> {
  for (;;) {
    const running = await findRunning(home)
    const found = running && (await query(running.url, `select to_regproc('tusk.enqueue') as name`))
    if (running && found?.[0]?.['name']) return running.url
  }
}
