import { expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { test } from '../support/processes.ts'
import { until } from '../support/until.ts'

/** `TUSK_FAULT_LIVES=100 TUSK_FAULT_SEEDS=1000` kills as often, amid as many tasks; CI does little of it. */
const lives = Number(process.env['TUSK_FAULT_LIVES'] ?? 8)
const tasks = Number(process.env['TUSK_FAULT_SEEDS'] ?? 25)
const steps = 20
/** More than a worker needs until its first tasks are through. */
const mostStatements = 60
const moments = ['before', 'sent', 'answered'] as const

test('a process that is killed at any statement of handlers with 20 steps does no step twice', {
  timeout: 120_000 + lives * 10_000 + tasks * 1_000,
}, async ({ engine, schema, spawnWorker }) => {
  await engine.rows('create table effects (n int, step int)')
  await engine.setQueue('steps', { backoff: { kind: 'none' } })
  const ids: string[] = []
  for (const n of range(tasks)) {
    const payload = { n, steps, table: `${schema}.effects` }
    const { id } = await engine.enqueue({ queue: 'steps', payload, maxAttempts: 1_000 })
    ids.push(id)
    // Before a task comes to it, or when it waits, or long after.
    if (n % 3 === 0) await engine.rows(`select signal($1::bigint, 'go', '1000')`, id)
  }
  for (const life of range(lives)) {
    const worker = await spawnWorker({
      concurrency: 10,
      // A life and the next differ in where they end, and lives together end everywhere.
      diesAt: {
        statement: 1 + ((life * 17) % mostStatements),
        moment: moments[life % moments.length] ?? 'before',
      },
    })
    const someIds = ids.filter((_, n) => n % 3 > 0).slice(life * 2, life * 2 + 2)
    for (const id of someIds) await engine.rows(`select signal($1::bigint, 'go', '1000')`, id)
    await worker.ended
    await engine.pass('1 hour')
    await engine.rescue()
  }
  const left = ids.filter((_, n) => n % 3 > 0).slice(lives * 2)
  for (const id of left) await engine.rows(`select signal($1::bigint, 'go', '1000')`, id)
  await spawnWorker({ concurrency: 10 })
  await until(() => engine.value('select not exists (select from tasks)'))

  const sum = (steps * (steps + 1)) / 2 + 1000
  expect(
    await engine.rows('select state, output, count(*)::int from finished group by 1, 2'),
  ).toEqual([{ state: 'done', output: sum, count: tasks }])
  const transactions = range(steps).flatMap((n) => (n % 2 === 0 ? [n + 1] : []))
  expect(
    await engine.rows(
      'select n, array_agg(step order by step) as steps from effects group by n order by n',
    ),
  ).toEqual(range(tasks).map((n) => ({ n, steps: transactions })))
  expect(await engine.rows('select from signals')).toEqual([])
  // Otherwise nothing was interrupted.
  expect(
    await engine.value(`select count(*)::int from attempt where reason = 'lost'`),
  ).toBeGreaterThan(lives)
})
