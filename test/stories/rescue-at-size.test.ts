import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import type { TestEngine } from '../support/test-engine.ts'
import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

const timeout = 600_000

/** Tasks that wait, stored with one statement. */
async function fill(engine: TestEngine, tasks: number): Promise<void> {
  await engine.rows(
    `insert into tasks (created_at, run_at, queue, handler, submitted_by, payload)
     select now(), now(), 'mail', 'mail', 'test', '1' from generate_series(1, $1)`,
    tasks,
  )
  await engine.rows(`insert into lanes values ('mail', 0)`)
  await engine.rows('analyze tasks')
}

const running = 'select coalesce(sum(size), 0)::int from tasks where claim is not null'

/** Each statement of the chore took at most 1,000 tasks, and none of them failed. */
function expectBoundedRounds(said: readonly string[], tasks: number): void {
  const rounds = said.flatMap((line) =>
    line.startsWith('rescued tasks') ? Number(/"tasks":(\d+)/.exec(line)?.[1]) : [],
  )
  // The last may still be on its way into the log.
  expect(rounds.length).toBeGreaterThanOrEqual(tasks / 1_000 - 1)
  expect(Math.max(...rounds)).toBe(1_000)
  expect(said.filter((line) => /statement timeout|chore failed/.test(line))).toEqual([])
}

/** Has a task of its own to wait for, so that it leaves the tasks of the dead alone. */
const bystander = { tasks: { other: () => {} } }

describe('tasks of dead workers', () => {
  test('are all queued again by the chore when one claim held 50,000', { timeout }, async ({
    engine,
    work,
    said,
  }) => {
    const tasks = 50_000
    await fill(engine, tasks)
    await engine.rows(`select count(*) from claim('mail', $1, p_worker => 'dead')`, tasks)
    expect(await engine.value(running)).toBe(tasks)
    await engine.pass('1 hour')

    await work(bystander)
    await until(() => engine.value('select not exists (select from claims)'))
    expect(await engine.value(running)).toBe(0)

    expectBoundedRounds(said, tasks)
    expect(
      await engine.value('select coalesce(sum(size), 0)::int from tasks where attempt = 1'),
    ).toBe(tasks)
  })

  test('are all queued again by one worker when 100 claims of 500 die together', {
    timeout,
  }, async ({ engine, work, said }) => {
    const claims = 100
    const each = 500
    await fill(engine, claims * each)
    for (const n of range(claims)) {
      await engine.rows(`select count(*) from claim('mail', $1, p_worker => $2)`, each, `dead ${n}`)
    }
    expect(await engine.value('select count(*)::int from claims')).toBe(claims)
    expect(await engine.value(running)).toBe(claims * each)
    await engine.pass('1 hour')

    await work(bystander)
    await until(() => engine.value('select not exists (select from claims)'))
    expect(await engine.value(running)).toBe(0)

    expectBoundedRounds(said, claims * each)
    expect(await faultsIn(engine)).toEqual([])
  })
})
