import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject } from 'vitest'
import { openProxy } from '../../support/proxy.ts'
import { test } from '../../support/sql-tasks.ts'
import { until } from '../../support/until.ts'

const target = () => {
  const { hostname, port, username, password, pathname } = new URL(inject('pgUrl'))
  return { host: hostname, port, user: username, password, dbname: pathname.slice(1) }
}

const dsnOf = (changes: object = {}) =>
  Object.entries({ ...target(), ...changes })
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ')

const isActive = `select exists (select from pg_stat_activity where state = 'active' and query like $1)`

describe('a SQL task for another database', () => {
  test('runs over a registered connection, whose secret the worker finds', async ({
    engine,
    workSql,
    runSql,
    enqueueSql,
  }) => {
    const { password, ...options } = target()
    const folder = await mkdtemp(join(tmpdir(), 'tusk-secret-'))
    await writeFile(join(folder, 'password'), `${password}\n`)
    process.env['TUSK_SECRET_TEST'] =
      `postgresql://${options.user}:${password}@${options.host}:${options.port}/${options.dbname}`
    await engine.rows(`select set_connection('by_file', $1)`, {
      ...options,
      secret: { file: join(folder, 'password') },
    })
    await engine.rows(`select set_connection('by_env', $1)`, {
      secret: { env: 'TUSK_SECRET_TEST' },
    })
    await engine.rows(`select set_connection('by_asking', $1)`, {
      ...options,
      secret: { callback: 'vault' },
    })
    await workSql({ secretFolders: [folder], connections: { vault: async () => password } })

    for (const connection of ['by_file', 'by_env', 'by_asking']) {
      const { output } = await runSql({ sql: 'create temp table t (a int)', connection })
      expect(output).toMatchObject({
        delivery: 'at_least_once',
        results: [{ tag: 'CREATE TABLE' }],
      })
    }
    const id = await enqueueSql({ sql: 'select pg_sleep(64)', connection: 'by_file' })
    await until(() => engine.value('select exists (select from running_sql where pid is not null)'))
    expect(await engine.rows('select connection, payload from running_sql')).toEqual([
      { connection: 'by_file', payload: { sql: 'select pg_sleep(64)', connection: 'by_file' } },
    ])
    await engine.cancel(id)
    await until(async () => !(await engine.value(isActive, '%pg_sleep(64)%')))
    await rm(folder, { recursive: true })
  })

  test('runs over a connection string where that is allowed, by keywords or as a URI', async ({
    workSql,
    runSql,
  }) => {
    await workSql({ allowConnectionStrings: true })
    const { host, port } = target()

    for (const dsn of [
      dsnOf(),
      inject('pgUrl'),
      '',
      dsnOf({ host: `127.0.0.1,${host}`, port: `1,${port}` }),
      dsnOf({
        host: `${host},${host}`,
        port: `${port},${port}`,
        target_session_attrs: 'read-write',
      }),
    ]) {
      const { output, error } = await runSql({ sql: 'select 7', connection: { dsn } })
      expect(error).toBeNull()
      expect(output.results[0]?.rows).toEqual([['7']])
    }
  })

  const faults: readonly (readonly [string, object | string, string, RegExp])[] = [
    [
      'no server listens',
      { port: '1' },
      'connection_failed',
      /^connection to server at "[^"]+", port 1 failed: Connection refused$/,
    ],
    [
      'the password is wrong',
      { password: 'secret-word' },
      'connection_rejected',
      /FATAL: {2}password authentication failed for user/,
    ],
    [
      'there is no such database',
      { dbname: 'nowhere' },
      'connection_rejected',
      /database "nowhere" does not exist/,
    ],
    [
      'the host has no address',
      { host: 'nowhere.invalid' },
      'connection_failed',
      /could not translate host name "nowhere.invalid" to address/,
    ],
    [
      'it wants a standby',
      { target_session_attrs: 'standby' },
      'connection_failed',
      /server is not in hot standby mode/,
    ],
    [
      'the string has a hole',
      'host',
      'connection_string_invalid',
      /missing "=" after "host" in connection info string/,
    ],
    [
      'the string has a stranger',
      'hots=x password=secret-word',
      'connection_string_invalid',
      /invalid connection option "hots"/,
    ],
  ]

  test('fails with a clear error, and the password in none of its words', async ({
    engine,
    said,
    workSql,
    runSql,
  }) => {
    await workSql({ allowConnectionStrings: true })

    for (const [what, given, code, message] of faults) {
      const dsn = typeof given === 'string' ? given : dsnOf(given)
      const { error } = await runSql({ sql: 'select 1', connection: { dsn } })
      expect({ what, ...error }).toMatchObject({
        what,
        code,
        message: expect.stringMatching(message),
      })
    }
    const shown =
      await engine.rows(`select task.*::text from task union all select own_task.*::text from own_task
      union all select attempt.*::text from attempt union all select page_tasks.*::text from page_tasks()`)
    const words = JSON.stringify(shown) + said.join('\n')
    const isTold = (secret: string) => words.includes(secret)
    expect([isTold('secret-word'), isTold(target().password), isTold('nowhere.invalid')]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('is refused by a worker that takes no strings, or gives out no such secret', async ({
    engine,
    workSql,
    runSql,
  }) => {
    await engine.rows(
      `select set_connection('nosy', '{"host": "127.0.0.1", "secret": {"env": "PATH"}}')`,
    )
    await engine.rows(
      `select set_connection('curious', '{"host": "127.0.0.1", "secret": {"file": "/run/secrets/../../etc/passwd"}}')`,
    )
    await workSql()

    const errors = []
    for (const connection of [{ dsn: dsnOf() }, 'nosy', 'curious']) {
      errors.push((await runSql({ sql: 'select 1', connection })).error.code)
    }

    expect(errors).toEqual(Array(3).fill('connection_not_allowed'))
  })

  test('whose connection is cut in mid-query fails, is tried again, and harms no other task', async ({
    engine,
    workSql,
    enqueueSql,
    endOf,
    runSql,
  }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const { hostname, port } = new URL(proxy.url)
    await workSql({ allowConnectionStrings: true })
    const connection = { dsn: dsnOf({ host: hostname, port }) }
    const id = await enqueueSql(
      {
        sql: `select pg_sleep(case when current_setting('my.try', true) = '2' then 0 else 65 end)`,
        connection,
      },
      { maxAttempts: 100, backoff: { kind: 'fixed', base: '100 milliseconds' } },
    )
    await until(() => engine.value(isActive, '%my.try%'))
    await engine.rows(`update tasks set payload = payload || '{"settings": {"my.try": "2"}}'`)

    proxy.cut()
    await until(() => engine.value('select exists (select from attempt)'))
    proxy.restore()
    await until(() => engine.value('select not exists (select from tasks)'))

    expect(await engine.rows('select error from attempt order by attempt limit 1')).toMatchObject([
      { error: { name: 'SqlConnectionError', code: 'connection_lost', statement: 0 } },
    ])
    expect((await endOf(id)).state).toBe('done')
    expect((await runSql('select 1')).state).toBe('done')
    await proxy.close()
  })

  test('ends in time although no server answers, before it began and in mid-query', async ({
    engine,
    workSql,
    enqueueSql,
    endOf,
    runSql,
  }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const { hostname, port } = new URL(proxy.url)
    await workSql({ allowConnectionStrings: true, graceMs: 100 })
    const connection = { dsn: dsnOf({ host: hostname, port }) }
    const id = await enqueueSql(
      { sql: 'select pg_sleep(66)', connection },
      // Long enough for a busy machine to begin it.
      { timeout: '10 seconds' },
    )
    await until(() => engine.value(isActive, '%pg_sleep(66)%'))

    proxy.silence()
    const late = await runSql({ sql: 'select 1', connection }, { timeout: '1 second' })

    expect(late).toMatchObject({ reason: 'timeout', error: { code: '57014', pid: null } })
    expect(await endOf(id)).toMatchObject({ reason: 'timeout', error: { code: '57014' } })
    expect((await runSql('select 1')).state).toBe('done')
    await proxy.close()
    await engine.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(66)%' and pid <> pg_backend_pid()`,
    )
  })
})

describe('a connection string', () => {
  test.for([
    ['postgres://ada:se:cr@et@h/db', 'postgres://ada:***@h/db'],
    ["host=h password='se cr\\'et' user=ada", 'host=h password=*** user=ada'],
    ['postgres://h/db?password=secret&user=ada', 'postgres://h/db?password=***&user=ada'],
    ['host=h password=a&b,c;d user=ada', 'host=h password=*** user=ada'],
    ['host=h password=a\\ secret user=ada', 'host=h password=*** user=ada'],
    ['host=h password=no quotes  user=ada', 'host=h password=***  user=ada'],
    ["host=h password='not closed", 'host=h password=***'],
    ['host=h scram_client_key=a+b= user=ada', 'host=h scram_client_key=*** user=ada'],
  ] as const)('is shown without its password: %s', async ([dsn, shown], { engine }) => {
    const task = { queue: 'sql', kind: 'sql', payload: { sql: 'select 1', connection: { dsn } } }
    await engine.rows('select set_schedule($1, $2)', 'far', { task, cron: '0 0 1 1 *' })
    await engine.rows('select enqueue_many($1::jsonb)', JSON.stringify([task]))
    await engine.enqueue({ queue: 'mail', payload: { connection: { dsn } } })
    const seen = `payload #>> '{connection,dsn}' as dsn`

    expect(await engine.rows(`select ${seen} from task order by id`)).toEqual([
      { dsn: shown },
      { dsn },
    ])
    expect(
      await engine.rows(`select task #>> '{payload,connection,dsn}' as dsn from schedule`),
    ).toEqual([{ dsn: shown }])
  })
})

describe('a connection', () => {
  test('keeps no password in its table', async ({ engine }) => {
    await expect(
      engine.rows(`select set_connection('x', '{"host": "h", "password": "p"}')`),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('password'),
    })
    await expect(
      engine.rows(`select set_connection('x', '{"host": "h", "secret": {"text": "p"}}')`),
    ).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(await engine.rows('select from sql_connections')).toEqual([])
  })
})
