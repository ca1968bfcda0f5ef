import { describe, expect } from 'vitest'
import { makeRole, test } from '../support/roles.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Enqueues a task that comes after others. */
async function enqueueAfter(engine: TestEngine, queue: string, after: readonly string[]) {
  const text = 'select id::text from enqueue($1, p_after => $2::bigint[], p_after_failure => $3)'
  return engine.value<string>(text, queue, after, 'run')
}

/** Two loads, a merge after both, and a report after the merge. */
async function makeGraph(engine: TestEngine) {
  const { id: first } = await engine.enqueue({ queue: 'load' })
  const { id: second } = await engine.enqueue({ queue: 'load' })
  const merge = await enqueueAfter(engine, 'merge', [first, second])
  const report = await enqueueAfter(engine, 'report', [merge])
  return { first, second, merge, report }
}

async function linkedTo(engine: TestEngine, id: string, limit: number = 1000) {
  const rows = await engine.rows<{ id: string; after: string[]; depth: number }>(
    'select id::text, after::text[], depth from read_dependencies($1, $2)',
    id,
    limit,
  )
  return rows.map(({ id, after, depth }) => [id, after, depth])
}

describe('read_dependencies', () => {
  test('shows what a task comes after and what comes after it, the nearest first', async ({
    engine,
  }) => {
    const { first, second, merge, report } = await makeGraph(engine)

    expect(await linkedTo(engine, first)).toEqual([
      [first, [], 0],
      [merge, [first, second], 1],
      [second, [], 2],
      [report, [merge], 2],
    ])
    expect(await linkedTo(engine, report)).toEqual([
      [report, [merge], 0],
      [merge, [first, second], 1],
      [first, [], 2],
      [second, [], 2],
    ])
  })

  test('shows at most as many as the limit, and links among them alone', async ({ engine }) => {
    const { first, merge } = await makeGraph(engine)

    expect(await linkedTo(engine, merge, 2)).toEqual([
      [merge, [first], 0],
      [first, [], 1],
    ])
    expect(await linkedTo(engine, merge, 1)).toEqual([[merge, [], 0]])
  })

  test('leaves out those that have ended', async ({ engine }) => {
    const { first, second, merge, report } = await makeGraph(engine)
    await engine.cancel(second)

    expect(await linkedTo(engine, report)).toEqual([
      [report, [merge], 0],
      [merge, [first], 1],
      [first, [], 2],
    ])
    expect(await linkedTo(engine, second)).toEqual([[second, [], 0]])
  })

  test('does not show children, for which a parent waits', async ({ engine }) => {
    const parent = await engine.running({ queue: 'parent' })
    await engine.rows(
      `select spawn($1, $2, '{pack}', '[{"queue": "pack"}]')`,
      parent.id,
      parent.claim,
    )

    expect(await linkedTo(engine, parent.id)).toEqual([[parent.id, [], 0]])
  })

  test('leaves out queues that the caller may not operate, with what is behind them', async ({
    engine,
    db,
    as,
  }) => {
    const { first, merge, second, report } = await makeGraph(engine)
    await makeRole(db, 'dependency_reader', 'operator')
    await makeRole(db, 'dependency_owner', 'operator')
    await engine.rows(`select grant_queue('merge', 'dependency_owner', '{operate}')`)

    expect(await linkedTo(await as('dependency_reader'), first)).toEqual([[first, [], 0]])
    expect(await linkedTo(await as('dependency_owner'), report)).toEqual([
      [report, [merge], 0],
      [merge, [first, second], 1],
      [first, [], 2],
      [second, [], 2],
    ])
    await expect(linkedTo(await as('dependency_reader'), merge)).rejects.toMatchObject({
      code: 'not_permitted',
    })
  })

  test('rejects tasks that do not exist', async ({ engine }) => {
    await expect(linkedTo(engine, '999999')).rejects.toMatchObject({ code: 'task_not_found' })
  })
})
