import { describe, inject } from 'vitest'
import { defineChore } from '../../src/chores/chore.ts'
import { range } from '../support/crowd.ts'
import { openProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

describe('chores', () => {
  test('pass to a worker that could not hear of it, once it listens again', async ({
    engine,
    work,
  }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const chore = defineChore({ name: 'tidy', everyMs: 20, run: () => {} })
    // A lease that would take an hour to run out.
    const chores = { chores: [chore], ttlMs: 3_600_000, renewMs: 1_000 }
    const tasks = { mail: () => {} }
    const first = await work({ tasks, chores })
    await until(() => engine.value(`select holder is not null from chores where name = 'tidy'`))
    const second = await work({ tasks, chores, listen: proxy.url })
    await until(() => engine.value(`select count(*) = 2 from workers where 'tidy' = any (chores)`))

    proxy.cut()
    await first.stop()
    proxy.restore()

    const leader = `select worker from leader where chore = 'tidy'`
    await until(async () => (await engine.value(leader)) === second.id)
    await second.stop()
    await proxy.close()
  })

  test('go on whichever sessions are terminated, and how often', async ({
    engine,
    work,
    schema,
  }) => {
    let runs = 0
    const chores = (['all', 'lease', 'advisory'] as const).map((strategy) =>
      defineChore({
        name: `tidy by ${strategy}`,
        everyMs: 1,
        strategy,
        run: async ({ transaction, db }) => {
          await transaction((own) => own.query('select'))
          await db.query('select')
          runs += 1
        },
      }),
    )
    const database = `${inject('pgUrl')}?application_name=${schema}`
    await work({ database, tasks: { mail: () => {} }, chores: { chores, ttlMs: 2_000 } })

    for (const _ of range(10)) {
      const before = runs
      await until(async () => runs > before + 5)
      await engine.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = $1 or application_name in (select 'tusk chores ' || id from workers)`,
        schema,
      )
    }
    const led = `select count(*) = 2 from leader where chore in ('tidy by lease', 'tidy by advisory')`
    await until(() => engine.value(led))
  })
})
