import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, vi } from 'vitest'
import { Tusk } from '../../src/client/tusk.ts'
import { migrate } from '../../src/db/migrate.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { listDialects } from '../../src/dialects/list-dialects.ts'
import { findRunning } from '../../src/embedded/inspect.ts'
import { test } from '../support/client.ts'
import { test as home, launchIn, query } from '../support/home.ts'
import { openProxy } from '../support/proxy.ts'

describe('opening a client', () => {
  test('takes a connection string', async ({ schema, open }) => {
    const tusk = await open({ database: inject('pgUrl'), schema })

    await expect(tusk.enqueueTask({ queue: 'mail' })).resolves.toMatchObject({ outcome: 'created' })
  })

  test('takes a pool, whatever its search path, and leaves it open', async ({ schema, db: _ }) => {
    const pool = new pg.Pool({ connectionString: inject('pgUrl'), options: '-c search_path=' })

    const tusk = await Tusk.open({ database: pool, schema })
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    const seen = await tusk.tasks.get(id)
    await tusk.close()

    expect(seen).toMatchObject({ id, queue: 'mail' })
    await expect(pool.query('select')).resolves.toBeDefined()
    await pool.end()
  })

  test('works on a pool of one connection, waiting for a task included', async ({
    schema,
    engine,
  }) => {
    const pool = new pg.Pool({ connectionString: inject('pgUrl'), max: 1 })
    const tusk = await Tusk.open({ database: pool, schema })

    const task = await tusk.enqueueTask({ queue: 'mail' })
    const output = task.wait()
    await engine.complete(await engine.claimOne('mail'), 'sent')

    expect(await output).toBe('sent')
    await tusk.close()
    await pool.end()
  })

  test('reads ids and times its own way, whatever the application does with its', async ({
    open,
  }) => {
    const plain = pg.types.getTypeParser(20)
    pg.types.setTypeParser(20, Number)
    try {
      const tusk = await open()

      const { id } = await tusk.enqueueTask({ queue: 'mail' })

      expect(await tusk.tasks.get(id)).toMatchObject({ id, iteration: 0, runAt: expect.any(Date) })
    } finally {
      pg.types.setTypeParser(20, plain)
    }
  })

  test('closes itself at the end of its scope', async ({ schema, db: _ }) => {
    let closed: Tusk
    {
      await using tusk = await Tusk.open({ database: inject('pgUrl'), schema })
      closed = tusk
    }

    await expect(closed.enqueueTask({ queue: 'mail' })).rejects.toMatchObject({
      code: 'client_closed',
    })
  })

  test.for([
    [{ database: 'nonsense' }, 'database must be'],
    [{ database: 'postgres://ada:hush@db:high/mail' }, 'database must be'],
    [{ listen: 'postgres://ada:hush@/mail' }, 'listen must be'],
  ] as const)('refuses %j by name, and shows no password', async ([options, words], { open }) => {
    const error = await open(options).catch((refusal: unknown) => refusal)

    expect(error).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(`${words} a URL such as postgres://`),
    })
    expect(error).not.toMatchObject({ message: expect.stringContaining('hush') })
  })

  test('refuses what is in DATABASE_URL by name', async () => {
    vi.stubEnv('DATABASE_URL', 'nonsense')

    await expect(Tusk.open()).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('the environment variable DATABASE_URL must be a URL'),
    })
    vi.unstubAllEnvs()
  })

  test('refuses a schema without Tusk, and says what to do', async ({ open }) => {
    await expect(open({ schema: 'nowhere' })).rejects.toMatchObject({
      code: 'schema_missing',
      message: 'Tusk is not installed in schema "nowhere"',
      hint: expect.stringContaining('tusk migrate up'),
    })
  })

  test('refuses a schema of an older version', async ({ open, engine, db }) => {
    await migrate(db, { schema: 'before_our_time', roles: false })
    await engine.rows(
      `delete from before_our_time.installed where path = 'verbs/tasks/enqueue_many.sql'`,
    )

    await expect(open({ schema: 'before_our_time' })).rejects.toMatchObject({
      code: 'schema_behind',
      hint: expect.stringContaining('tusk migrate up'),
    })
    await engine.rows('drop schema before_our_time cascade')
  })

  test('tells a database that is not there from one that refuses', async ({ schema }) => {
    const unreachable = Tusk.open({ database: 'postgres://127.0.0.1:1/none', schema })

    await expect(unreachable).rejects.toMatchObject({ code: 'database_unreachable' })
  })

  test('works for a role that may do nothing but produce', async ({ schema, engine, open }) => {
    const role = `${schema}_app`
    await engine.rows(`create role ${role} login password 'secret' in role tusk_test_producer`)
    const url = new URL(inject('pgUrl'))
    url.username = role
    url.password = 'secret'
    const tusk = await open({ database: url.href })

    const task = await tusk.enqueueTask({ queue: 'mail' })
    await engine.complete(await engine.claimOne('mail'), 'sent')

    expect(await task.wait()).toBe('sent')
    await tusk.close()
    await engine.rows(`drop role ${role}`)
  })
})

describe('a database that goes away', () => {
  test('refuses what was not sent, and takes tasks again when it is back', async ({
    open,
    engine,
  }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const tusk = await open({ database: proxy.url })
    await tusk.enqueueTask({ queue: 'mail' })

    proxy.cut()
    await expect(tusk.enqueueTask({ queue: 'mail' })).rejects.toMatchObject({
      code: expect.stringMatching(/^(database_unreachable|outcome_unknown)$/),
    })
    await expect(tusk.enqueueTask({ queue: 'mail' })).rejects.toMatchObject({
      code: 'database_unreachable',
    })
    proxy.restore()

    await expect(tusk.enqueueTask({ queue: 'mail' })).resolves.toMatchObject({ outcome: 'created' })
    expect(await engine.rows('select from task')).toHaveLength(2)
    await tusk.close()
    await proxy.close()
  })
})

describe('without a database', () => {
  beforeEach(() => {
    vi.stubEnv('DATABASE_URL', '')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  home('starts an embedded Postgres, installs the engine and stops it again', async ({ home }) => {
    const tusk = await Tusk.open({ stateDirectory: home, tasks: { tidy_up: async () => {} } })
    const { id } = await tusk.enqueue('tidy_up')
    const task = await tusk.tasks.get(id)
    await tusk.close()

    expect(task).toMatchObject({ queue: 'tidy_up', state: 'ready' })
    await expect(tusk.queues.stats()).rejects.toThrow()
  })

  home('leaves no Postgres behind when the engine cannot be installed', async ({ home }) => {
    const { url, stop } = await launchIn(home, { bin: undefined })
    await query(url, 'create schema tusk; create table tusk.installed (something_else text)')
    await stop()

    await expect(Tusk.open({ stateDirectory: home })).rejects.toThrow()

    expect(await findRunning(home)).toBeUndefined()
  })

  home('brings the dialects of the embedded one to this version', async ({ home }) => {
    const { url } = await launchIn(home, { bin: undefined })
    const open = async () => (await Tusk.open({ stateDirectory: home })).close()
    await open()
    await installDialect(url, { dialect: 'fetchq' })
    await query(url, `update fetchq.installed set hash = 'old' where path = 'verbs/schema.sql'`)
    expect(await listDialects(url)).toMatchObject([{ name: 'fetchq', state: 'behind' }])

    await open()

    expect(await listDialects(url)).toMatchObject([{ name: 'fetchq', state: 'current' }])
  })
})
