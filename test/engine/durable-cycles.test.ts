import { describe, expect } from 'vitest'
import { durableVerbs } from '../support/durable.ts'
import { test } from '../support/engine.ts'

const waitsForItself = {
  code: 'invalid_argument',
  message: expect.stringContaining('would wait for itself'),
  hint: expect.stringContaining('another key'),
}

describe('a cycle of tasks that wait for each other', () => {
  test('is rejected when keys lead two tasks to each other', async ({ engine }) => {
    const { spawn } = durableVerbs(engine)
    const a = await engine.running({ queue: 'a', key: 'one' })
    const b = await engine.running({ queue: 'b', key: 'one' })
    const c = await engine.running({ queue: 'c', key: 'one' })
    await spawn(a, { b: { queue: 'b', key: 'one' } })
    await spawn(b, { c: { queue: 'c', key: 'one' } })

    await expect(spawn(c, { a: { queue: 'a', key: 'one' } })).rejects.toMatchObject(waitsForItself)
    await expect(spawn(c, { c: { queue: 'c', key: 'one' } })).rejects.toMatchObject(waitsForItself)

    expect(await engine.rows('select from steps where task = $1', c.id)).toEqual([])
    expect(await engine.rows('select from awaits where waiter = $1', c.id)).toEqual([])
  })

  test('is rejected when the child comes after its parent', async ({ engine }) => {
    const parent = await engine.running({ queue: 'a' })
    await engine.enqueue({ queue: 'b', key: 'one', after: [parent.id] })

    await expect(
      durableVerbs(engine).spawn(parent, { b: { queue: 'b', key: 'one' } }),
    ).rejects.toMatchObject(waitsForItself)
  })

  test('is rejected when a task guesses an id of its own call', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'a' })
    const refusals: string[] = []
    for (let next = BigInt(id) + 1n; next < BigInt(id) + 21n; next += 1n) {
      const task = { queue: 'b', after: [Number(next)] }
      const text = 'select enqueue_many($1::jsonb)'
      await engine.rows(text, JSON.stringify([task, task])).catch((error: Error) => {
        refusals.push(error.message)
      })
    }

    expect(refusals).toHaveLength(20)
    expect(refusals.filter((each) => each.includes('by the same call'))).not.toEqual([])
    expect(await engine.rows('select from tasks')).toHaveLength(1)
  })
})

test('1,000 tasks can spawn each other, the next is rejected, and all end with the first', async ({
  engine,
}) => {
  const { id } = await engine.enqueue({ queue: 'deep' })
  // Each task of the line is claimed, and spawns the next.
  await engine.rows(`do $$
    declare
      v record;
    begin
      for n in 1 .. 1000 loop
        select * into v from claim('deep');
        perform spawn(v.id, v.claim, '{next}', '[{"queue": "deep"}]');
      end loop;
    end $$`)
  const last = await engine.claimOne('deep')

  await expect(durableVerbs(engine).spawn(last, { next: { queue: 'deep' } })).rejects.toMatchObject(
    {
      code: 'invalid_argument',
      message: expect.stringContaining('is the child of 1000 tasks'),
      hint: expect.stringContaining('Start the next task detached'),
    },
  )
  const family = await engine.rows<{ depth: number }>('select depth from read_family($1, 2000)', id)
  expect(family.map(({ depth }) => depth)).toEqual(Array.from({ length: 1001 }, (_, n) => n))
  await engine.rows('select cancel($1)', id)
  expect(await engine.rows('select from tasks')).toEqual([])
})
