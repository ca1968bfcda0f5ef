import pg from 'pg'
import { describe, expect } from 'vitest'
import { Tusk } from '../../src/client/tusk.ts'
import { migrate } from '../../src/db/migrate.ts'
import { serveHttp } from '../../src/http/serve.ts'
import { adminToken } from '../support/http.ts'
import { test as base } from '../support/processes.ts'
import { openServerPair, type ServerPair } from '../support/server-pair.ts'
import { until } from '../support/until.ts'

/** The key stays taken when the task has ended: a caller that does not know whether it was stored asks again. */
const once = { queue: 'work', window: '1 hour', payload: { ms: 5 } } as const
const limit = 240_000

/** Keys of tasks that were acknowledged, by a producer that asks until they are. */
interface Producer {
  readonly acknowledged: Set<string>
  /** What it was refused with meanwhile. */
  readonly refusals: Set<unknown>
  stop(): Promise<void>
}

interface Fixtures {
  pair: ServerPair
  /** Enqueues through the client, with a key each, one after another. */
  client: Producer
  /** The same over HTTP. */
  http: Producer
}

const test = base.extend<Fixtures>({
  pair: async ({ schema }, use) => {
    const pair = await openServerPair(async (url) => {
      await migrate(url, { schema, roles: false })
    })
    await use(pair)
    await pair.close()
  },

  client: async ({ pair, schema }, use) => {
    const tusk = await Tusk.open({ database: pair.url, schema, queryTimeoutMs: 10_000 })
    const producer = produce('client', async (key) => {
      await tusk.enqueueTask({ ...once, onDuplicate: 'throttle', key })
    })
    await use(producer)
    await producer.stop()
    await tusk.close()
  },

  http: async ({ pair, schema }, use) => {
    const tusk = await Tusk.open({ database: pair.url, schema, queryTimeoutMs: 10_000 })
    const server = await serveHttp({
      tusk,
      token: adminToken,
      port: 0,
      logger: false,
      writeTimeoutMs: 10_000,
    })
    const producer = produce('http', async (key) => {
      const answer = await fetch(`${server.url}/api/v1/tasks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...once, on_duplicate: 'throttle', key }),
      })
      const body = (await answer.json()) as { code?: string }
      if (!answer.ok) throw Object.assign(new Error(JSON.stringify(body)), { code: body.code })
    })
    await use(producer)
    await producer.stop()
    await server.close()
    await tusk.close()
  },
})

function produce(name: string, enqueue: (key: string) => Promise<void>): Producer {
  const acknowledged = new Set<string>()
  const refusals = new Set<unknown>()
  let isStopped = false
  const run = async () => {
    for (let number = 0; !isStopped; ) {
      const key = `${name} ${number}`
      try {
        await enqueue(key)
        acknowledged.add(key)
        number += 1
      } catch (error) {
        refusals.add((error as { code?: unknown }).code ?? error)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const running = run()
  return {
    acknowledged,
    refusals,
    stop: () => {
      isStopped = true
      return running
    },
  }
}

/** What a caller may learn while there is no primary: all of it says what became of the task. */
const clear = ['database_unreachable', 'database_read_only', 'outcome_unknown']

async function goesOn({ acknowledged, refusals }: Producer): Promise<void> {
  const before = acknowledged.size
  await until(async () => {
    expect([...refusals].filter((code) => !clear.includes(String(code)))).toEqual([])
    return acknowledged.size >= before + 10
  })
}

async function expectNothingLost(pair: ServerPair, schema: string, producers: Producer[]) {
  await Promise.all(producers.map((producer) => producer.stop()))
  const pool = new pg.Pool({
    connectionString: pair.standby.url,
    options: `-c search_path=${schema}`,
  })
  pool.on('error', () => {})
  try {
    await until(async () => (await pool.query('select from tasks')).rowCount === 0)
    const { rows } = await pool.query<{ key: string; state: string; times: number }>(
      'select key, state, coalesce(sum(size), 0)::int as times from finished group by key, state',
    )
    const done = new Set(rows.filter(({ state }) => state === 'done').map(({ key }) => key))
    const lost = producers.flatMap(({ acknowledged }) =>
      [...acknowledged].filter((key) => !done.has(key)),
    )
    expect(lost).toEqual([])
    expect(rows.filter(({ times }) => times > 1)).toEqual([])
  } finally {
    await pool.end()
  }
  for (const { refusals } of producers) {
    expect([...refusals].filter((code) => !clear.includes(String(code)))).toEqual([])
  }
}

describe('a failover to a synchronous standby', () => {
  test('loses nothing when the primary is killed, and work goes on', { timeout: limit }, async ({
    pair,
    schema,
    client,
    http,
    spawnWorker,
  }) => {
    const worker = await spawnWorker({ url: pair.url, leaseMs: 3_000 })
    await worker.says('end')
    await Promise.all([client, http].map(goesOn))

    await pair.killPrimary()
    await pair.promote()

    await Promise.all([client, http].map(goesOn))
    // All of it is done by this worker, whether or not it noticed that the database was gone.
    await expectNothingLost(pair, schema, [client, http])
  })

  test('leaves a primary that was demoted with its connections open', { timeout: limit }, async ({
    pair,
    schema,
    client,
    http,
    spawnWorker,
  }) => {
    const worker = await spawnWorker({ url: pair.url, leaseMs: 3_000 })
    await worker.says('end')
    await Promise.all([client, http].map(goesOn))

    await pair.demotePrimary()
    await worker.says('the database is gone')
    await pair.promote()

    await Promise.all([client, http].map(goesOn))
    await expectNothingLost(pair, schema, [client, http])
    await worker.says('the database is back')
  })

  test('answers callers while commits wait for the standby that was promoted', {
    timeout: limit,
  }, async ({ pair, schema, client, http, spawnWorker }) => {
    const worker = await spawnWorker({ url: pair.url, leaseMs: 3_000 })
    await worker.says('end')
    await Promise.all([client, http].map(goesOn))

    // The primary lives and works on each commit for good, so only the time limit of a statement ends it.
    try {
      await pair.promote()
      await expect
        .poll(() => [client, http].map(({ refusals }) => refusals.has('outcome_unknown')), {
          timeout: limit / 2,
        })
        .toEqual([true, true])
    } finally {
      await pair.killPrimary()
    }

    await Promise.all([client, http].map(goesOn))
    await expectNothingLost(pair, schema, [client, http])
  })
})
