import { describe, expect } from 'vitest'
import type { Held } from '../../src/engine/outcomes.ts'
import { test } from '../support/engine.ts'

const columns = (held: Held[]) => [held.map(({ id }) => id), held.map(({ claim }) => claim)]

describe('fail_many', () => {
  test('ends each attempt as the call says', async ({ engine }) => {
    const again = await engine.running()
    const over = await engine.running({ maxAttempts: 1 })
    const hopeless = await engine.running()

    const answers = await engine.rows(
      `select * from fail_many($1, $2, $3::jsonb[], '{error,timeout,error}', '{true,true,false}', '{1 hour,null,null}')`,
      ...columns([again, over, hopeless]),
      ['"a"', '"b"', '"c"'],
    )

    expect(answers).toHaveLength(3)
    expect(await engine.rows('select id, state, reason, error from task order by id')).toEqual([
      { id: again.id, state: 'retrying', reason: null, error: null },
      { id: over.id, state: 'failed', reason: 'timeout', error: 'b' },
      { id: hopeless.id, state: 'failed', reason: 'error', error: 'c' },
    ])
  })

  test('answers with what became of each', async ({ engine }) => {
    const again = await engine.running()
    const over = await engine.running({ maxAttempts: 1 })

    const answers = await engine.rows<{ id: string }>(
      'select * from fail_many($1, $2)',
      ...columns([again, over]),
    )

    expect(answers.sort((a, b) => Number(a.id) - Number(b.id))).toEqual([
      { id: again.id, state: 'queued', run_at: expect.any(Date) },
      { id: over.id, state: 'failed', run_at: null },
    ])
    expect(await engine.value('select count(*)::integer from attempt')).toBe(2)
  })

  test('takes what is left out for an error that may be tried again', async ({ engine }) => {
    const backoff = { kind: 'fixed', base: '1 hour' } as const
    const held = [await engine.running({ backoff }), await engine.running({ backoff })]

    await engine.rows(
      `select fail_many($1, $2, p_reasons => '{timeout}', p_retries => '{null,null}')`,
      ...columns(held),
    )

    expect(await engine.rows('select reason from attempt order by task')).toEqual([
      { reason: 'timeout' },
      { reason: 'error' },
    ])
    expect(await engine.rows('select distinct state from task')).toEqual([{ state: 'retrying' }])
  })

  test.for(['queued', 'done', 'failed', 'cancelled', 'gone'] as const)(
    'leaves out a task that is %s, and ends the others',
    async (state, { engine }) => {
      const lost = await engine.inState(state)
      const before = await engine.task(lost.id)
      const held = await engine.running({ queue: 'post' })

      const answers = await engine.rows(
        'select id, state from fail_many($1, $2)',
        ...columns([lost, held]),
      )

      expect(answers).toEqual([{ id: held.id, state: 'queued' }])
      expect(await engine.task(lost.id)).toEqual(before)
    },
  )

  test('ends a task that is named twice once, by the first word about it', async ({ engine }) => {
    const task = await engine.running()

    const answers = await engine.rows(
      `select id, state from fail_many($1, $2, '{"1","2"}'::jsonb[], p_retries => '{true,false}')`,
      ...columns([task, task]),
    )

    expect(answers).toEqual([{ id: task.id, state: 'queued' }])
    expect(await engine.rows('select task, error from attempt')).toEqual([
      { task: task.id, error: 1 },
    ])
  })

  test.for([
    ['tasks without their claims', `'{1,2}', '{1}'`, 'each task needs the claim'],
    ['a reason of its own', `'{1}', '{1}', p_reasons => '{lost}'`, 'of a failed attempt'],
  ] as const)('refuses %s', async ([, args, message], { engine }) => {
    await engine.running()

    await expect(engine.rows(`select * from fail_many(${args})`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })
  })
})
