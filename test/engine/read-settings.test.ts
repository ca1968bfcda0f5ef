import { describe, expect } from 'vitest'
import { makeRole, test } from '../support/roles.ts'
import type { TestEngine } from '../support/test-engine.ts'

async function held(engine: TestEngine, queue: string): Promise<Record<string, unknown>> {
  const rows = await engine.rows<{ setting: string; value: unknown; source: string }>(
    'select * from read_settings($1)',
    queue,
  )
  return Object.fromEntries(rows.map(({ setting, value, source }) => [setting, [value, source]]))
}

describe('read_settings', () => {
  test('says where each value comes from: the queue, all queues, or the default', async ({
    engine,
  }) => {
    await engine.setQueue('*', { keep_done: '3 days', group_max_running: 7 })
    await engine.setQueue('mail', {
      max_attempts: 2,
      max_running: 10,
      gap: '1 second',
      is_fair: true,
    })

    expect(await held(engine, 'mail')).toMatchObject({
      max_attempts: [2, 'queue'],
      max_running: [10, 'queue'],
      gap: ['00:00:01', 'queue'],
      gap_from: ['start', 'queue'],
      is_fair: [true, 'queue'],
      keep_done: ['3 days', '*'],
      group_max_running: [7, '*'],
      keep_failed: ['7 days', 'default'],
      rate: [null, 'default'],
      keeps_keys: [false, 'default'],
      backoff: [expect.objectContaining({ kind: 'exponential' }), 'default'],
    })
  })

  test('has the defaults of a new schema for all queues, and nothing else', async ({ engine }) => {
    const all = await held(engine, '*')

    expect(new Set(Object.values(all).map((reported) => (reported as unknown[])[1]))).toEqual(
      new Set(['default']),
    )
    expect(Object.keys(all)).not.toContain('max_running')
    expect(
      await engine.value(
        `select bool_and(to_jsonb(queues) -> key = value)
         from queues, jsonb_each(initial_settings()) where name = '*'`,
      ),
    ).toBe(true)
  })

  test('tells what would hold in a queue that does not exist yet', async ({ engine }) => {
    expect(await held(engine, 'new')).toMatchObject({ max_attempts: [5, 'default'] })
    expect(await engine.rows(`select from queue where queue = 'new'`)).toEqual([])
  })

  test('is as what claim() heeds', async ({ engine }) => {
    await engine.setQueue('*', { max_attempts: 9 })

    expect(await held(engine, 'mail')).toMatchObject({ max_attempts: [9, '*'] })
    expect(await engine.running()).toMatchObject({ max_attempts: 9 })
  })

  test('refuses what is not a queue, and queues of others', async ({ engine, db, as }) => {
    await expect(held(engine, '@mail')).rejects.toMatchObject({ code: 'invalid_argument' })
    const operator = await as(await makeRole(db, 'tusk_settings', 'operator'))
    await engine.rows(`select grant_queue('mail', current_user, '{operate}')`)

    await expect(held(operator, 'mail')).rejects.toMatchObject({ code: 'not_permitted' })
  })
})
