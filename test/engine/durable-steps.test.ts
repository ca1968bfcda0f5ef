import { describe, expect } from 'vitest'
import { durableVerbs } from '../support/durable.ts'
import { test } from '../support/engine.ts'

describe('steps', () => {
  test('are kept with the task and read in order', async ({ engine }) => {
    const { save } = durableVerbs(engine)
    const task = await engine.running()
    await save(task, 'charge', { id: 7 })
    await save(task, 'book', 'x')

    expect(await engine.readSteps(task)).toMatchObject([
      { name: 'charge', state: 'done', output: { id: 7 } },
      { name: 'book', state: 'done', output: 'x' },
    ])
    await engine.complete(task)
    expect(await engine.steps(task.id)).toMatchObject([{ name: 'charge' }, { name: 'book' }])
    await engine.delete(task.id)
    expect(await engine.rows('select from steps')).toEqual([])
  })

  test('are never overwritten, but for an attempt that failed', async ({ engine }) => {
    const { save, steps } = durableVerbs(engine)
    const task = await engine.running()
    await save(task, 'charge', null, 'retrying')
    await save(task, 'charge', 1)
    await save(task, 'charge', 2)

    expect(await steps(task.id)).toMatchObject([{ state: 'done', attempt: 2, output: 1 }])
  })

  test('rejects a result above 1 MB and a name above 200 characters', async ({ engine }) => {
    const { save } = durableVerbs(engine)
    const task = await engine.running()

    await expect(save(task, 'charge', 'x'.repeat(1_048_577))).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining('charge'),
    })
    await expect(save(task, 'x'.repeat(201))).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(save(task, '')).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('splits the pack of a task that takes one', async ({ engine }) => {
    const { save, suspend } = durableVerbs(engine)
    await engine.enqueueMany(Array.from({ length: 20 }, () => ({ queue: 'mail' })))
    const tasks = await engine.claim('mail', { limit: 20 })
    const [first, second, ...others] = tasks
    if (first === undefined || second === undefined) throw new Error('none')

    await save(first, 'charge', 1)
    expect(await suspend(second, { kind: 'signal', name: 'paid' })).toEqual([])

    expect(await engine.completeMany([first, ...others])).toHaveLength(19)
    expect(await engine.task(second.id)).toMatchObject({ state: 'waiting' })
  })
})

describe('retry', () => {
  test('keeps the steps that a failed task had done, and forgets those that failed', async ({
    engine,
  }) => {
    const { save, steps } = durableVerbs(engine)
    const task = await engine.running({ maxAttempts: 1 })
    await save(task, 'charge', 1)
    await save(task, 'book', null, 'failed')
    await engine.fail(task, { message: 'broken' })

    await engine.retry(task.id)

    expect(await steps(task.id)).toMatchObject([{ name: 'charge' }])
  })

  test('begins anew after success', async ({ engine }) => {
    const { save, steps } = durableVerbs(engine)
    const task = await engine.running()
    await save(task, 'charge', 1)
    await engine.complete(task)

    await engine.retry(task.id)

    expect(await steps(task.id)).toEqual([])
  })

  test('from a step forgets it and all after it, and puts signals back', async ({ engine }) => {
    const { save, steps, signal, suspend, spawn } = durableVerbs(engine)
    const task = await engine.running()
    await save(task, 'charge', 1)
    await signal(task.id, 'paid', 'by ada')
    await suspend(task, { kind: 'signal', name: 'paid' })
    const [child = ''] = await spawn(task, { pack: { queue: 'pack' } })
    await engine.complete(task)

    await engine.retry(task.id, null, undefined, 'paid')

    expect(await steps(task.id)).toMatchObject([{ name: 'charge' }])
    expect(await engine.task(child)).toMatchObject({ state: 'cancelled' })
    const again = await engine.claimOne('mail')
    expect(await suspend(again, { kind: 'signal', name: 'paid' })).toMatchObject([
      { output: 'by ada' },
    ])
  })

  test('rejects a step that the task does not have, and names those it has', async ({ engine }) => {
    const { save } = durableVerbs(engine)
    const task = await engine.running()
    await save(task, 'charge', 1)
    await engine.complete(task)

    await expect(engine.retry(task.id, null, undefined, 'charg')).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: `Its steps are 'charge'.`,
    })
    expect(await engine.task(task.id)).toMatchObject({ state: 'done' })
  })

  test('from a step works in bulk', async ({ engine }) => {
    const { save } = durableVerbs(engine)
    for (let n = 0; n < 3; n++) {
      const task = await engine.running()
      await save(task, 'charge', 1)
      await engine.complete(task)
    }

    const operation = await engine.value<string>(
      `select start_operation('retry', '{"queue": "mail", "states": ["done"]}', '{"from": "charge"}')`,
    )
    await engine.rows('select advance_operation($1)', operation)

    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(3)
    expect(await engine.rows('select from steps')).toEqual([])
  })
})

describe('streams', () => {
  test('keep chunks in order, and can be read from any place', async ({ engine }) => {
    const task = await engine.running()
    await engine.writeChunks(task, ['"a"', '"b"'])
    await engine.writeChunks(task, ['"c"'])

    expect(await engine.readChunks(task.id, '1', 10)).toMatchObject([
      { place: '2', chunk: 'b', attempt: 1 },
      { place: '3', chunk: 'c' },
    ])
    await expect(engine.writeChunks({ ...task, claim: '999' }, ['1'])).rejects.toMatchObject({
      code: 'lease_lost',
    })
    await engine.complete(task)
    expect(await engine.readChunks(task.id, '0', 10)).toHaveLength(3)
  })
})
