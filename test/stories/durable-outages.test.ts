import pg from 'pg'
import { describe, expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { expectEachEffectOnce, sendGo, startDurables } from '../support/durable-story.ts'
import { test } from '../support/mortal-server.ts'
import { openServerPair } from '../support/server-pair.ts'
import { openTestEngine, type TestEngine } from '../support/test-engine.ts'
import { until } from '../support/until.ts'

const limit = 240_000
const count = 20
const worker = { sql: true, leaseMs: 3_000, concurrency: 4 }

const effects = (engine: TestEngine) => engine.value<number>('select count(*)::int from effects')

/** Asked until the database answers: the pool of the test has lost its connections too. */
const patiently = (ask: () => Promise<unknown>) => until(() => ask().catch(() => false))

/** Each is sent until it is known to be sent. Returns when no more are to be sent. */
async function sendAll(engine: TestEngine, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    // One whose answer was lost may be there: it must not come twice.
    await patiently(async () => {
      const isThere = await engine.value<boolean>(
        `select exists (select from signals where task = $1)
           or exists (select from steps where task = $1 and signal is not null)
           or exists (select from finished where id = $1)`,
        id,
      )
      if (!isThere) await sendGo(engine, id)
      return true
    })
  }
}

describe('durable tasks', () => {
  test('of a process frozen beyond its lease go on in another, and its steps are refused', {
    timeout: limit,
  }, async ({ engine, schema, spawnWorker }) => {
    const ids = await startDurables(engine, schema, count)
    const frozen = await spawnWorker({ ...worker, leaseMs: 2_000 })
    for (const id of ids.slice(0, count / 2)) await sendGo(engine, id)
    await until(async () => (await effects(engine)) > 10)

    frozen.send('SIGSTOP')
    for (const id of ids.slice(count / 2)) await sendGo(engine, id)
    const held = await engine.value<number>(
      'select count(*)::int from tasks where claim is not null',
    )
    const other = await spawnWorker({ ...worker, leaseMs: 2_000 })
    await until(() => engine.value(`select exists (select from attempt where reason = 'lost')`))
    frozen.send('SIGCONT')
    await until(() => engine.value('select not exists (select from tasks)'))

    expect(held).toBeGreaterThan(0)
    await expectEachEffectOnce(engine, count)
    // It lives on, and works.
    other.send('SIGKILL')
    await other.ended
    const { id } = await engine.enqueue({ queue: 'work' })
    await until(() => engine.value(`select exists (select from finished where id = $1)`, id))
  })

  test('outlive a database that dies twice while they step, sleep and are signalled', {
    timeout: limit,
  }, async ({ server, schema, spawnWorker }) => {
    const { engine, url } = server
    const ids = await startDurables(engine, schema, count)
    await spawnWorker({ ...worker, url })
    const sent = (async () => {
      await until(async () => (await effects(engine)) > 10)
      await sendAll(engine, ids.slice(0, count / 2))
    })()
    await sent
    await until(async () => (await effects(engine)) > 2 * count)
    const later = sendAll(engine, ids.slice(count / 2))

    for (let death = 0; death < 2; death++) {
      await server.crash()
      await server.start()
      await patiently(() => engine.value('select true'))
    }

    await later
    await patiently(() => engine.value('select not exists (select from tasks)'))
    await expectEachEffectOnce(engine, count)
  })

  test('go on at the standby when the primary is killed, and no signal is lost', {
    timeout: limit,
  }, async ({ schema, spawnWorker }) => {
    const pair = await openServerPair(async (url) => {
      await migrate(url, { schema, roles: false })
    })
    const pool = new pg.Pool({
      connectionString: pair.primary.url,
      options: `-c search_path=${schema}`,
    })
    const standby = new pg.Pool({
      connectionString: pair.standby.url,
      options: `-c search_path=${schema}`,
    })
    for (const each of [pool, standby]) each.on('error', () => {})
    try {
      const before = openTestEngine(pool, schema)
      const ids = await startDurables(before, schema, count)
      await spawnWorker({ ...worker, url: pair.url })
      for (const id of ids.slice(0, count / 2)) await sendGo(before, id)
      await until(async () => (await effects(before)) > count)

      await pair.killPrimary()
      await pair.promote()

      const after = openTestEngine(standby, schema)
      await patiently(() => after.value('select not pg_is_in_recovery()'))
      await sendAll(after, ids.slice(count / 2))
      await patiently(() => after.value('select not exists (select from tasks)'))
      await expectEachEffectOnce(after, count)
    } finally {
      await Promise.all([pool.end(), standby.end()])
      await pair.close()
    }
  })
})
