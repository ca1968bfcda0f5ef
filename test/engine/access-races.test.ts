import { describe, expect } from 'vitest'
import { callingAs } from '../../src/engine/calling-as.ts'
import { faultsIn } from '../support/books.ts'
import { all, crowd, member, range, waitsForLock } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Claims and completes until there is nothing more. */
async function consume(consumer: TestEngine): Promise<void> {
  for (;;) {
    const tasks = await consumer.claim('mail', { limit: 20 })
    if (tasks.length === 0) return
    await consumer.completeMany(tasks)
  }
}

async function drive(driver: TestEngine, id: string): Promise<void> {
  while ((await driver.advanceOperation(id, 50)).state === 'running');
}

describe('an operation among consumers that end the same tasks', () => {
  test('counts each task it met once, as done or as refused', { timeout: 300_000 }, async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(
      range(2_000).map((n) => ({ queue: 'mail', groups: [`g ${n % 7}`], key: `${n}` })),
    )
    await engine.setGroup('g 1', { max_running: 20 })
    const id = await engine.startOperation('cancel', { queue: 'mail' })
    const members = await crowd(engine, connect, 5)

    await Promise.all([
      all(members.slice(0, 3), consume),
      all(members.slice(3), (driver) => drive(driver, id)),
    ])

    const operation = await engine.operation(id)
    const cancelled = await engine.value<number>(
      `select coalesce(sum(size), 0)::int from finished where state = 'cancelled'`,
    )
    const done = await engine.value<number>(
      `select coalesce(sum(size), 0)::int from finished where state = 'done'`,
    )
    expect(operation).toMatchObject({ state: 'done', done: cancelled })
    expect(cancelled + done).toBe(2_000)
    expect(await faultsIn(engine)).toEqual([])
  })
})

describe('the audit of one queue that many change at once', () => {
  test('tells one story: each found what the one before had left', async ({ engine, db }) => {
    await engine.setQueue('mail', { max_attempts: 1 })

    await Promise.all(
      range(40).map((n) =>
        callingAs(db, { actor: `person ${n}` }, (on) =>
          engine.on(on).setQueue('mail', { max_attempts: n + 2 }),
        ),
      ),
    )

    const entries = await engine.rows<{ was: number; became: number }>(
      `select (before ->> 'max_attempts')::int as was, (after ->> 'max_attempts')::int as became from audit_entry`,
    )
    const next = new Map(entries.map(({ was, became }) => [was, became]))
    const story = [1]
    for (let at = next.get(1); at !== undefined; at = next.get(at)) story.push(at)
    expect(entries).toHaveLength(40)
    expect(story).toHaveLength(41)
    expect(await engine.value(`select max_attempts from queues where name = 'mail'`)).toBe(
      story.at(-1),
    )
  })
})

// Every instance of an application may register what it needs when it starts.
describe('two who register the same at the same time', () => {
  test.for([
    ['statement', `set_statement('settle', '{"sql": "select 1"}')`],
    ['connection', `set_connection('reports', '{"host": "db"}')`],
  ] as const)('both succeed: a %s', async ([kind, call], { engine, connect }) => {
    const first = await member(engine, connect)
    const second = await member(engine, connect)

    for (const _ of ['new', 'known']) {
      await first.rows('begin')
      await first.rows(`select ${call}`)
      const registered = second.rows(`select ${call}`)
      await waitsForLock(engine, second)
      await first.rows('commit')
      await registered
    }

    expect(await engine.rows(`select name from sql_${kind}s`)).toHaveLength(1)
  })
})
