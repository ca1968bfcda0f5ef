import { fileURLToPath } from 'node:url'
import { describe, expect, inject } from 'vitest'
import { range } from '../support/crowd.ts'
import { startProcess, test } from '../support/processes.ts'
import { until } from '../support/until.ts'

const script = fileURLToPath(new URL('driver-process.mjs', import.meta.url))

describe('an operation over 20,000 tasks whose driver is killed', () => {
  test('is brought to its end by the chore of any worker', { timeout: 600_000 }, async ({
    engine,
    build,
    schema,
    spawnWorker,
  }) => {
    for (const _ of range(4)) {
      await engine.enqueueMany(range(5_000).map(() => ({ queue: 'mail' })))
    }
    const driver = startProcess([script], {
      BUILD: build,
      DATABASE_URL: inject('pgUrl'),
      SCHEMA: schema,
    })
    await driver.says('did 500')
    driver.send('SIGKILL')
    expect(await driver.ended).toMatchObject({ signal: 'SIGKILL' })
    const [left] = await engine.operations()
    expect(left).toMatchObject({ state: 'running' })
    expect(left?.done).toBeLessThan(20_000)
    const { id: later } = await engine.enqueue({ queue: 'mail' })

    await spawnWorker({ queues: ['work'] })
    await until(() => engine.value(`select state = 'done' from operation`))

    expect(await engine.operations()).toMatchObject([
      { state: 'done', matched: 20_000, done: 20_000, refused: 0 },
    ])
    expect(await engine.rows('select id from tasks')).toEqual([{ id: later }])
    expect(
      await engine.value(
        `select coalesce(sum(size), 0)::int from finished where state = 'cancelled'`,
      ),
    ).toBe(20_000)
  })
})
