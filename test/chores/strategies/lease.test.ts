import { describe, expect, inject } from 'vitest'
import { type ChoreContext, defineChore } from '../../../src/chores/chore.ts'
import { range } from '../../support/crowd.ts'
import { openProxy } from '../../support/proxy.ts'
import { until } from '../../support/until.ts'
import { signalled, test } from '../../support/worker.ts'

const tasks = { mail: () => {} }
/** Long enough for a busy machine, renewed often enough to see what it does. */
const times = { ttlMs: 10_000, renewMs: 100 }

const tidy = (run: (context: ChoreContext) => Promise<void> | void, timeoutMs = 30_000) =>
  defineChore({ name: 'tidy', everyMs: 20, timeoutMs, run })

const leader = `select worker from leader where chore = 'tidy'`
const terms = `select term, worker, how from terms where chore = 'tidy' order by term`

describe('workers with a lease', () => {
  test('do a chore one at a time, and say who leads', async ({ engine, work, said }) => {
    const ran: string[] = []
    const chores = { chores: [tidy(({ worker }) => void ran.push(worker))], ...times }
    await Promise.all(range(3).map(() => work({ tasks, chores })))
    await until(async () => ran.length >= 10)

    expect(new Set(ran).size).toBe(1)
    expect(await engine.value(leader)).toBe(ran[0])
    expect(said.filter((line) => line.startsWith('leads a chore {"chore":"tidy"'))).toHaveLength(1)
    await until(() => engine.value(`select runs > 10 from chore_stats where chore = 'tidy'`))
    expect(await engine.rows('select * from chore_alert')).toEqual([])
  })

  test('hand a chore over at once when the leader stops', async ({ engine, work }) => {
    const ran: string[] = []
    // A lease that would take an hour to run out: only the word of the leader can end it.
    const chores = {
      chores: [tidy(({ worker }) => void ran.push(worker))],
      ttlMs: 3_600_000,
      renewMs: 1_000,
    }
    const first = await work({ tasks, chores })
    await until(async () => ran.length > 0)
    const second = await work({ tasks, chores })
    await until(() => engine.value(`select count(*) = 2 from workers where 'tidy' = any (chores)`))

    await first.stop()
    await until(async () => ran.at(-1) === second.id)

    expect(await engine.rows(terms)).toEqual([
      { term: '1', worker: first.id, how: 'shutdown' },
      { term: '2', worker: second.id, how: null },
    ])
  })

  test('take turns when they rotate, without alarm', async ({ engine, work }) => {
    const chores = { chores: [tidy(() => {})], ...times, rotateMs: 100 }
    const workers = await Promise.all(range(3).map(() => work({ tasks, chores })))

    await until(() =>
      engine.value(
        `select count(distinct worker) = 3 and count(*) > 6 from terms where chore = 'tidy'`,
      ),
    )

    const led = await engine.rows<{ worker: string; how: string | null }>(terms)
    expect(new Set(led.map(({ worker }) => worker))).toEqual(new Set(workers.map(({ id }) => id)))
    expect(new Set(led.slice(0, -1).map(({ how }) => how))).toEqual(new Set(['rotation']))
    expect(await engine.rows('select * from chore_alert')).toEqual([])
  })

  test('leave leading to those who may', async ({ engine, work }) => {
    const ran: string[] = []
    const chores = [tidy(({ worker }) => void ran.push(worker))]
    await work({ tasks, chores: { chores, ...times, mayLead: false } })
    await until(() => engine.value(`select exists (select from chores where name = 'tidy')`))
    const leads = await work({ tasks, chores: { chores, ...times } })

    await until(async () => ran.length > 5)

    expect(new Set(ran)).toEqual(new Set([leads.id]))
    expect(await engine.rows(`select id from workers where chores <> '{}'`)).toEqual([
      { id: leads.id },
    ])
  })

  test('are not led astray by what others say on the channel', async ({ engine, work }) => {
    await work({ tasks, chores: { chores: [tidy(() => {})], ...times } })
    await until(() => engine.value(leader))

    for (const payload of [
      'not json',
      'null',
      '[]',
      '{"chore": 7}',
      '{"chore": "tidy", "heir": 5}',
    ]) {
      await engine.rows(`select pg_notify(current_schema() || ':chores', $1)`, [payload])
    }
    await engine.resign('tidy')

    await until(async () => (await engine.rows(terms)).some(({ how }) => how === 'resign'))
  })

  test('resign on request, after the run under way', async ({ engine, work }) => {
    const begun = signalled()
    const open = signalled()
    const aborted: boolean[] = []
    const run = async ({ signal }: ChoreContext) => {
      begun.resolve()
      await open.promise
      aborted.push(signal.aborted)
    }
    // The holder hears of it by NOTIFY: its next renewal is an hour away.
    const chores = { chores: [tidy(run)], ttlMs: 10_800_000, renewMs: 3_600_000 }
    const first = await work({ tasks, graceMs: 5_000, chores })
    await begun.promise
    const second = await work({ tasks, chores })
    await until(() => engine.value(`select count(*) = 2 from workers where 'tidy' = any (chores)`))

    expect(await engine.resign('tidy')).toBe(first.id)
    open.resolve()
    await until(async () => (await engine.value(leader)) === second.id)

    expect(aborted[0]).toBe(false)
    expect((await engine.rows(terms))[0]).toEqual({ term: '1', worker: first.id, how: 'resign' })
  })

  test('give up a chore whose run hangs, to another worker', async ({ engine, work, said }) => {
    const ran: string[] = []
    const hang = ({ worker }: ChoreContext) =>
      new Promise<void>((end) => {
        ran.push(worker)
        // Only of the worker that came first; it may come before `first` has a name.
        if (worker !== ran[0]) end()
      })
    const chores = { chores: [tidy(hang, 100)], ...times }
    const first = await work({ tasks, chores })
    await until(async () => ran.length > 0)
    const second = await work({ tasks, chores })

    await until(async () => ran.at(-1) === second.id)

    expect((await engine.rows(terms))[0]).toEqual({ term: '1', worker: first.id, how: 'error' })
    expect(said.join('\n')).toContain('a chore does not stop; it is given up')
    expect(ran.filter((worker) => worker === first.id)).toHaveLength(1)
    await until(() =>
      engine.value(
        `select errors = 1 from chore_runs where worker = $1 and chore = 'tidy'`,
        first.id,
      ),
    )
  })
})

describe('a leader', () => {
  test('that cannot renew stops before its lease is over', async ({ engine, work }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const stopped = signalled<{ isHeld: boolean }>()
    const begun = signalled()
    const run = async ({ signal }: ChoreContext) => {
      begun.resolve()
      if (!signal.aborted) await new Promise((lost) => signal.addEventListener('abort', lost))
      stopped.resolve(
        (
          await engine.rows<{ isHeld: boolean }>(
            `select expires_at > clock_timestamp() as "isHeld" from chores where name = 'tidy'`,
          )
        )[0] ?? { isHeld: false },
      )
    }
    await work({
      database: proxy.url,
      tasks,
      chores: { chores: [tidy(run)], ttlMs: 5_000, renewMs: 200 },
    })
    await begun.promise

    proxy.cut()

    expect(await stopped.promise).toEqual({ isHeld: true })
    proxy.restore()
    await until(() => engine.value(`select term > 1 from chores where name = 'tidy'`))
    await proxy.close()
  })

  test('whose chore another took stops at once, and cannot write', async ({ engine, work }) => {
    const stole = signalled()
    const refused = signalled<unknown>()
    const isAborted = signalled<boolean>()
    const run = async ({ transaction, signal, term }: ChoreContext) => {
      if (term !== 1n) return
      await transaction((db) => db.query('select'))
      await engine.rows(
        `update chores set term = 9, holder = 'thief', expires_at = now() + interval '1 hour' where name = 'tidy'`,
      )
      stole.resolve()
      const write = transaction((db) => db.query('select'))
      refused.resolve(await write.catch((error: unknown) => error))
      if (!signal.aborted) await new Promise((lost) => signal.addEventListener('abort', lost))
      isAborted.resolve(signal.aborted)
    }
    // The renewal would be an hour away; but a refusal makes the leader look.
    await work({ tasks, chores: { chores: [tidy(run)], ttlMs: 10_800_000, renewMs: 3_600_000 } })
    await stole.promise

    expect(await refused.promise).toMatchObject({ code: 'leadership_lost' })
    expect(await isAborted.promise).toBe(true)
    expect(await engine.value(leader)).toBe('thief')
  })

  test('has its transaction cancelled by Postgres before its lease is over', async ({ work }) => {
    const failed = signalled<unknown>()
    const run = async ({ transaction }: ChoreContext) => {
      const sleeping = transaction((db) => db.query('select pg_sleep(60)'))
      failed.resolve(await sleeping.catch((error: unknown) => error))
    }
    // Trusted for so long that a busy machine renews meanwhile: else the worker itself cuts it off.
    await work({ tasks, chores: { chores: [tidy(run)], ttlMs: 4_000, renewMs: 100 } })

    expect(await failed.promise).toMatchObject({ code: '57014' })
  })

  test('runs a chore again at once after a NOTIFY', async ({ engine, schema, work }) => {
    let runs = 0
    const chore = defineChore({
      name: 'tidy',
      everyMs: 3_600_000,
      channel: `${schema}:shelves`,
      run: () => {
        runs += 1
      },
    })
    await work({ tasks, chores: { chores: [chore], ...times } })
    await until(async () => runs > 0)

    const before = runs
    await engine.rows(`select pg_notify($1, '')`, `${schema}:shelves`)

    await until(async () => runs > before)
  })

  test('keeps the errors of a chore, and goes on', async ({ engine, work }) => {
    let runs = 0
    const chore = tidy(() => {
      runs += 1
      if (runs === 1) throw new Error('no broom \0 \ud800')
    })
    await work({ tasks, chores: { chores: [chore], ...times } })

    await until(() =>
      engine.value(
        `select errors = 1 and last_ok_at > last_error_at from chore_stats where chore = 'tidy'`,
      ),
    )

    expect(
      await engine.value(`select last_error ->> 'message' from chore_stats where chore = 'tidy'`),
    ).toBe('no broom \ufffd \ufffd')
  })
})
