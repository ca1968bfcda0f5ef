import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const list = 'select list_tasks($1, $2, $3) as id'

describe('list_tasks', () => {
  test('gives live and finished tasks as one list, the newest first', async ({ engine }) => {
    const done = await engine.inState('done')
    const { id: waiting } = await engine.enqueue({ queue: 'post' })
    const cancelled = await engine.inState('cancelled')

    const ids = await engine.rows<{ id: string }>(list, '{}', null, 10)

    const newest = [done.id, waiting, cancelled.id].sort((a, b) => Number(b) - Number(a))
    expect(ids.map(({ id }) => id)).toEqual(newest)
  })

  test.for([
    'scheduled',
    'retrying',
    'blocked',
    'ready',
    'running',
    'done',
    'failed',
    'cancelled',
  ] as const)('finds the tasks that people see as %s', async (state, { engine }) => {
    await engine.enqueue({ queue: 'later', runAt: new Date('2100-01-01') })
    await engine.fail(await engine.running({ queue: 'again' }), null, { delay: '1 hour' })
    await engine.enqueue({ queue: 'held' })
    await engine.pause('held')
    await engine.inState('done')
    await engine.inState('failed')
    await engine.inState('cancelled')
    await engine.inState('running')
    await engine.enqueue({ queue: 'now' })

    const listed = await engine.rows(list, JSON.stringify({ states: [state] }), null, 10)

    expect(listed).toEqual(await engine.rows('select id from task where state = $1', state))
    expect(listed).toHaveLength(1)
  })

  test('refuses a filter it does not know', async ({ engine }) => {
    await expect(engine.rows(list, '{"que": "mail"}', null, 10)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining('queue'),
    })
  })
})
