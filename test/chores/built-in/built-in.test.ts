import { describe, expect, inject } from 'vitest'
import { builtInChores } from '../../../src/chores/built-in/built-in-chores.ts'
import type { ChoreContext } from '../../../src/chores/chore.ts'
import { openEngine } from '../../../src/engine/verbs.ts'
import { testRoles } from '../../support/engine.ts'
import { until } from '../../support/until.ts'
import { test } from '../../support/worker.ts'
import { wearKeys } from '../../support/worn.ts'

const tasks = { mail: () => {} }

const share = () => Promise.reject(new Error('not used'))

describe('a worker with nothing but its defaults', () => {
  test('registers, leads and does the built-in chores', async ({ engine, work }) => {
    const { id } = await work({ tasks })
    const names = [
      'expire',
      'fire',
      'forget_workers',
      'operations',
      'repair_limits',
      'rescue',
      'roll_up',
      'storage',
      'sweep',
      'wake',
    ]

    await until(() =>
      engine.value('select count(*) = 10 from chore_stats where last_ok_at is not null'),
    )

    const leaders = await engine.leaders()
    expect(leaders.map(({ chore }) => chore)).toEqual(names)
    expect(new Set(leaders.map(({ worker }) => worker))).toEqual(new Set([id]))
    expect(await engine.value('select sum(errors)::int from chore_stats')).toBe(0)
    expect(await engine.rows('select * from chore_alert')).toEqual([])
  })

  test('needs no other rights than those of the role worker', async ({ engine, work }) => {
    const database = { connectionString: inject('pgUrl'), options: `-c role=${testRoles}_worker` }
    await work({ database, tasks })

    await until(() =>
      engine.value('select count(*) = 10 from chore_stats where last_run_at is not null'),
    )

    expect(await engine.rows('select chore, last_error from chore_stats where errors > 0')).toEqual(
      [],
    )
  })

  test('fires a schedule as soon as it is set', async ({ engine, work }) => {
    await work({ tasks })
    await until(() =>
      engine.value(`select last_ok_at is not null from chore_stats where chore = 'fire'`),
    )

    await engine.rows(
      `select set_schedule('seconds', '{"task": {"queue": "mail"}, "every": "1 second"}')`,
    )

    await until(() => engine.value(`select count(*) >= 2 from occurrences where outcome = 'fired'`))
  })

  test('takes no part in the chores when configured so', async ({ engine, work }) => {
    await work({ tasks, chores: false })
    await until(() => engine.value('select asleep from worker'))

    expect(await engine.rows('select * from chores')).toEqual([])
  })

  test('refuses a chore of its own with the name of a built-in one', async ({ work }) => {
    const chores = builtInChores({
      tools: { verbs: openEngine({ schema: 'tusk' }), share },
      schema: 'tusk',
      leaseMs: 1_000,
    })

    await expect(work({ tasks, chores: { chores } })).rejects.toThrow('two chores named wake')
  })
})

describe('storage', () => {
  test('vacuums what autovacuum has left alone', async ({ engine, db, schema }) => {
    await wearKeys(engine, 12_000)
    expect(await engine.wornTables()).toEqual([`${schema}.keys`])
    const verbs = openEngine({ schema })
    const storage = builtInChores({ tools: { verbs, share }, schema, leaseMs: 1_000 }).find(
      ({ name }) => name === 'storage',
    )
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    const context: ChoreContext = {
      signal: new AbortController().signal,
      term: null,
      worker: 'ada',
      batch: 10,
      db,
      log,
      transaction: (run) => run(db),
    }

    await storage?.run(context)

    expect(
      await engine.value(
        `select last_vacuum is not null from pg_stat_user_tables where relid = 'keys'::regclass`,
      ),
    ).toBe(true)
    await until(async () => (await engine.wornTables()).length === 0)
  })
})
