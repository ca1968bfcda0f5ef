import { describe, expect } from 'vitest'
import type { Context } from '../../src/tasks/context.ts'
import { defineTask } from '../../src/tasks/define-task.ts'
import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

type Empty = Record<never, never>

describe('a worker', () => {
  test('runs durable tasks to their end, each step once', async ({ engine, work, allDone }) => {
    const ran: string[] = []
    const pack = defineTask({ name: 'pack', run: async ({ n }: { n: number }) => n * 2 })
    const order = defineTask({
      name: 'order',
      run: async ({ n }: { n: number }, ctx: Context) => {
        await ctx.step('bill', () => ran.push(`bill ${n}`))
        const paid = await ctx.receive('paid', { timeout: '1 hour' })
        const [box] = await ctx.join(ctx.spawn(pack, { n }))
        await ctx.delay('pause', 10)
        await ctx.transaction('book', async () => void ran.push(`book ${n}`))
        ctx.write({ box })
        return { paid: paid ?? null, box }
      },
    })
    // One slot: a wait that held it would stop everything.
    await work({ queues: ['order', 'pack'], tasks: [order, pack], concurrency: 1 })
    const ids: string[] = []
    for (let n = 0; n < 20; n++) {
      ids.push((await engine.enqueue({ queue: 'order', payload: { n } })).id)
    }
    for (const id of ids.slice(0, 10)) await engine.signal(id, 'paid', `"${id}"`)
    await until(async () =>
      engine.value(`select count(*) = 10 from finished where queue = 'order'`),
    )
    for (const id of ids.slice(10)) await engine.signal(id, 'paid', `"${id}"`)
    await allDone()

    for (const [n, id] of ids.entries()) {
      expect(await engine.task(id)).toMatchObject({
        state: 'done',
        output: { paid: id, box: n * 2 },
      })
      expect(await engine.readChunks(id, '0', 10)).toMatchObject([{ chunk: { box: n * 2 } }])
    }
    // Each once, in any order.
    expect(ran).toHaveLength(ids.length * 2)
    expect(new Set(ran)).toEqual(new Set(ids.flatMap((_, n) => [`bill ${n}`, `book ${n}`])))
    expect(await engine.rows('select from claims')).toEqual([])
  })

  test('refuses a step result that is too large, and no other with it', async ({
    engine,
    work,
    allDone,
  }) => {
    const order = defineTask({
      name: 'order',
      maxAttempts: 1,
      run: async ({ size }: { size: number }, ctx: Context) =>
        ctx.step('charge', () => 'x'.repeat(size)).then((text) => text.length),
    })
    await work({ queues: ['order'], tasks: [order], concurrency: 5 })
    const sizes = [10, 1_100_000, 20, 30]
    for (const size of sizes)
      await engine.enqueue({ queue: 'order', payload: { size }, maxAttempts: 1 })
    await allDone()

    const ends = await engine.rows(`select state, output from finished order by id`)
    expect(ends.map(({ state }) => state)).toEqual(['done', 'failed', 'done', 'done'])
  })

  test('stops a handler whose step meets a lost lease', async ({ engine, work }) => {
    const order = defineTask({
      name: 'order',
      run: async (_: Empty, ctx: Context) => {
        await engine.cancel(ctx.task.id)
        await ctx.step('charge', () => 1)
      },
    })
    await work({ queues: ['order'], tasks: [order] })
    const { id } = await engine.enqueue({ queue: 'order' })
    await until(async () => (await engine.task(id))?.state === 'cancelled')

    expect(await engine.rows('select from steps')).toEqual([])
  })
})
