import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { type ChoreContext, defineChore } from '../../../src/chores/chore.ts'
import { RunStatistics } from '../../../src/chores/run-statistics.ts'
import { AdvisoryStrategy } from '../../../src/chores/strategies/advisory.ts'
import { openSkipLocked } from '../../../src/chores/strategies/skip-locked.ts'
import type { ChoreTools, Grant } from '../../../src/chores/strategies/strategy.ts'
import { openEngine } from '../../../src/engine/verbs.ts'
import { range } from '../../support/crowd.ts'
import { until } from '../../support/until.ts'
import { test } from '../../support/worker.ts'

const tasks = { mail: () => {} }
const times = { ttlMs: 1_000, renewMs: 100 }

/** Remembers who ran it. */
function counting(strategy: 'all' | 'skip-locked' | 'advisory') {
  const ran: string[] = []
  const run = ({ worker, term }: ChoreContext) => {
    ran.push(worker)
    expect(term === null).toBe(strategy !== 'advisory')
  }
  return { ran, chores: [defineChore({ name: 'tidy', everyMs: 20, strategy, run })] }
}

describe('all', () => {
  test('lets every worker do the chore', async ({ engine, work }) => {
    const { ran, chores } = counting('all')
    const workers = await Promise.all(range(3).map(() => work({ tasks, chores: { chores } })))
    await until(async () => new Set(ran).size === 3)

    const leaders = () =>
      engine.rows(`select strategy, worker, term from leader where chore = 'tidy'`)
    await until(async () => (await leaders()).length === 3)
    const seen = await leaders()
    expect(new Set(seen.map(({ worker }) => worker))).toEqual(new Set(ran))
    expect(seen[0]).toMatchObject({ strategy: 'all', term: null })

    // Workers that are gone lead nothing.
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await leaders()).toEqual([])
  })
})

describe('skip-locked', () => {
  test('lets every worker take batches, and look again at once after a full one', async ({
    work,
  }) => {
    let left = 30
    const shares = new Map<string, number>()
    const chore = defineChore({
      name: 'tidy',
      // A worker that found a full batch must not wait for this.
      everyMs: 600_000,
      batch: 1,
      strategy: 'skip-locked',
      channel: 'tidy shelves',
      run: ({ worker, batch }) => {
        if (left === 0) return { processed: 0 }
        left -= batch
        shares.set(worker, (shares.get(worker) ?? 0) + 1)
        return { processed: batch }
      },
    })
    const { id } = await work({ tasks, chores: { chores: [chore] } })
    const client = new pg.Client(inject('pgUrl'))
    await client.connect()
    await until(async () => {
      await client.query('notify "tidy shelves"')
      return left === 0
    })
    await client.end()

    expect(shares).toEqual(new Map([[id, 30]]))
  })

  test('waits longer the more often nothing is found, if there are others', () => {
    const pauses = (peers: number) => {
      let grant: Grant | undefined
      const chore = defineChore({ name: 'tidy', everyMs: 1_000, run: () => {} })
      const take = (_: unknown, given: Grant) => {
        grant = given
        return { nudge: () => {}, finish: async () => {} }
      }
      const options = { chores: [chore], take, isStuck: () => false, register: async () => {} }
      openSkipLocked(
        {
          ...options,
          onReported: () => {},
          tools: {} as ChoreTools,
          statistics: new RunStatistics(),
        },
        () => peers,
      ).start()
      const nothing = range(5).map(() => grant?.pauseMs(1_000, false) ?? 0)
      return { nothing, something: grant?.pauseMs(1_000, true) ?? 0, full: grant?.pauseMs(0, true) }
    }
    const alone = pauses(1)
    const many = pauses(8)

    expect(Math.max(...alone.nothing)).toBeLessThanOrEqual(1_250)
    expect(many.nothing[4]).toBeGreaterThanOrEqual(6_000)
    expect(many.something).toBeLessThanOrEqual(1_250)
    expect(many.full).toBe(0)
    expect(pauses(1_000).something).toBeGreaterThan(40_000)
  })
})

describe('advisory', () => {
  test('lets one session lead, which the server shows', async ({ engine, work }) => {
    const { ran, chores } = counting('advisory')
    await Promise.all(range(3).map(() => work({ tasks, chores: { chores, ...times } })))
    await until(async () => ran.length > 5)

    expect(new Set(ran).size).toBe(1)
    const [seen] = await engine.rows(
      `select worker, backend, term, host from leader where chore = 'tidy'`,
    )
    expect(seen).toMatchObject({ worker: ran[0], term: '1', host: expect.any(String) })
    expect(
      await engine.value(
        `select application_name from pg_stat_activity where pid = $1`,
        seen?.['backend'],
      ),
    ).toBe(`tusk chores ${ran[0]}`)
  })

  test('passes on with the session, and at once when a worker stops', async ({ engine, work }) => {
    const { ran, chores } = counting('advisory')
    const first = await work({ tasks, chores: { chores, ...times } })
    await until(async () => ran.length > 0)
    const second = await work({ tasks, chores: { chores, ...times } })

    await engine.rows(`select pg_terminate_backend(backend) from leader where chore = 'tidy'`)
    await until(() => engine.value(`select term = 2 from leader where chore = 'tidy'`))
    const [heir, other] =
      (await engine.value(`select worker from leader where chore = 'tidy'`)) === first.id
        ? [first, second]
        : [second, first]
    await heir.stop()
    await until(async () => ran.at(-1) === other.id)

    expect(await engine.rows(`select how from terms where chore = 'tidy' order by term`)).toEqual([
      { how: 'expired' },
      { how: 'shutdown' },
      { how: null },
    ])
  })

  test('resigns on request', async ({ engine, work }) => {
    const { ran, chores } = counting('advisory')
    await Promise.all(range(2).map(() => work({ tasks, chores: { chores, ...times } })))
    await until(async () => ran.length > 0)

    const asked = await engine.resign('tidy')
    await until(async () => {
      // The other may not be there yet when the rest is over, and then it is led by the same again.
      const leads = await engine.value(`select worker from leader where chore = 'tidy'`)
      if (leads === asked) await engine.resign('tidy')
      return ran.at(-1) !== asked
    })

    expect(await engine.value(`select how from terms where chore = 'tidy' and term = 1`)).toBe(
      'resign',
    )
  })

  test('leads nothing behind a pooler, and says so', async ({ engine, schema }) => {
    const said: string[] = []
    const hear = (_: object, message: string) => said.push(message)
    await engine.registerChores(
      'ada',
      [{ name: 'tidy', strategy: 'advisory', everyMs: 1, timeoutMs: 1, ttlMs: 1_000 }],
      true,
    )
    const strategy = new AdvisoryStrategy({
      ...times,
      checkMs: 100,
      chores: counting('advisory').chores,
      statistics: new RunStatistics(),
      isStuck: () => false,
      onReported: () => {},
      register: async () => {},
      take: () => {
        throw new Error('must not lead')
      },
      tools: {
        verbs: openEngine({ schema }),
        worker: 'ada',
        log: { debug: hear, info: hear, warn: hear, error: hear },
        graceMs: 100,
        lead: () => Promise.reject(new Error('not used')),
        borrow: () => Promise.reject(new Error('not used')),
        share: () => Promise.reject(new Error('not used')),
        once: () => Promise.reject(new Error('not used')),
        onceMs: 1_000,
        // As a pooler does it: the process id that the connection got is not one of the server.
        newClient: () =>
          Object.defineProperty(new pg.Client(inject('pgUrl')), 'processID', {
            get: () => 1,
            set: () => {},
          }),
      },
    })
    strategy.start()
    await until(async () => said.length > 0)
    await strategy.stop(100)

    expect(said[0]).toContain('a pooler stands between this worker and Postgres')
    expect(await engine.value(`select term from chores where name = 'tidy'`)).toBe('0')
  })
})
