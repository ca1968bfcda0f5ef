import { describe, expect, test } from 'vitest'
import type { Context } from '../../src/tasks/context.ts'
import { defineTask } from '../../src/tasks/define-task.ts'
import { defineSignal } from '../../src/tasks/durable.ts'
import { openHere } from '../support/testing.ts'

type Empty = Record<never, never>

describe('waiting', () => {
  test('receives a signal, and gives up when its time is over', async () => {
    const paid = defineSignal<{ by: string }>('paid')
    const order = async (_: Empty, ctx: Context) => {
      const first = await ctx.receive(paid, { timeout: '1 day' })
      const second = await ctx.receive(paid, { timeout: '1 day', as: 'second' })
      return { by: first?.by ?? null, isLate: second === undefined }
    }
    await using here = await openHere({ order })
    const { id } = await here.tusk.enqueue('order', {})

    expect(await here.runAll()).toMatchObject([{ outcome: 'waiting', state: 'waiting' }])
    await here.tusk.tasks.signal(id, paid, { by: 'ada' })
    expect(await here.runAll()).toMatchObject([{ outcome: 'waiting' }])
    await here.pass('1 day')

    expect(await here.runAll()).toMatchObject([
      { outcome: 'done', output: { by: 'ada', isLate: true } },
    ])
  })

  test('waits for several things at once, and takes the first', async () => {
    const order = async (_: Empty, ctx: Context) =>
      Promise.race([
        ctx.receive('paid').then(() => 'paid'),
        ctx.delay('patience', '1 hour').then(() => 'too late'),
      ])
    await using here = await openHere({ order })
    const one = await here.tusk.enqueue('order', {})
    await here.runAll()
    await here.tusk.tasks.signal(one.id, 'paid')
    expect(await here.runAll()).toMatchObject([{ outcome: 'done', output: 'paid' }])

    await here.tusk.enqueue('order', {})
    await here.runAll()
    await here.pass('1 hour')
    expect(await here.runAll()).toMatchObject([{ outcome: 'done', output: 'too late' }])
  })

  test('finishes a step at work before it sleeps', async () => {
    const order = async (_: Empty, ctx: Context) => {
      const [work] = await Promise.all([
        ctx.step('work', async () => {
          await new Promise((resolve) => setTimeout(resolve, 50))
          return 'worked'
        }),
        ctx.receive('paid'),
      ])
      return work
    }
    await using here = await openHere({ order })
    const { id } = await here.tusk.enqueue('order', {})
    await here.runAll()
    expect(await here.tusk.tasks.steps(id)).toMatchObject([
      { name: 'work', state: 'done' },
      { name: 'paid' },
    ])
    await here.tusk.tasks.signal(id, 'paid')

    expect(await here.runAll()).toMatchObject([{ outcome: 'done', output: 'worked' }])
  })

  test('tells tasks that had gone on before a change from those that had not', async () => {
    const code: { isNew: boolean } = { isNew: false }
    const versions: number[] = []
    const order = async (_: Empty, ctx: Context) => {
      if (code.isNew) versions.push(await ctx.version('two mails', 2))
      await ctx.step('mail', () => 1)
      await ctx.delay('sleep', '1 hour')
    }
    await using here = await openHere({ order })
    await here.tusk.enqueue('order', {})
    await here.runAll()
    code.isNew = true
    await here.tusk.enqueue('order', {})
    await here.runAll()
    await here.pass('1 hour')
    await here.runAll()

    expect(versions).toEqual([2, 0, 2])
  })

  test('a batch handler gets an error that it cannot take steps', async () => {
    await using here = await openHere([
      defineTask({
        name: 'batch',
        batch: {
          size: 2,
          run: (items) => Promise.all(items.map(({ context }) => context.step('x', () => 1))),
        },
      }),
    ])
    await here.tusk.enqueue('batch', {})

    expect(await here.runAll()).toMatchObject([
      { outcome: 'failed', error: { message: 'a batch handler cannot take steps or wait' } },
    ])
  })
})

describe('children', () => {
  const double = defineTask({ name: 'double', run: async ({ of }: { of: number }) => of * 2 })
  const broken = defineTask({
    name: 'broken',
    maxAttempts: 1,
    run: async (_: Empty): Promise<number> => {
      throw new Error('broken child')
    },
  })

  test('are joined, typed by their definitions', async () => {
    const sum = async (_: Empty, ctx: Context) => {
      const [a, b] = await ctx.join(
        ctx.spawn(double, { of: 1 }, { as: 'a' }),
        ctx.spawn(double, { of: 2 }, { as: 'b' }),
      )
      return a + b
    }
    await using here = await openHere([double, defineTask({ name: 'sum', run: sum })])
    await here.tusk.enqueue('sum', {})

    const ran = await here.runAll()

    expect(ran.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'sum waiting',
      'double done',
      'double done',
      'sum done',
    ])
    expect(ran[3]).toMatchObject({ output: 6 })
  })

  test('rejects a join on a task that this one did not spawn', async () => {
    const parent = async (_: Empty, ctx: Context) => ctx.join({ id: '999999', name: 'stranger' })
    await using here = await openHere({ parent })
    await here.tusk.enqueue('parent', {}, { maxAttempts: 1 })

    expect(await here.runAll()).toMatchObject([
      {
        outcome: 'failed',
        state: 'failed',
        error: {
          code: 'invalid_argument',
          message: expect.stringContaining("has no child 'stranger' to join"),
        },
      },
    ])
  })

  test('fail the join, are collected, or lose a race', async () => {
    const parent = async ({ how }: { how: string }, ctx: Context) => {
      const children = [
        ctx.spawn(broken, {}),
        ctx.spawn(double, { of: 4 }, { runAt: new Date(Date.now() + 3_600_000) }),
      ] as const
      if (how === 'all') return ctx.join(...children)
      if (how === 'collect') return ctx.join(children, { onFailure: 'collect' })
      return ctx.join(children, { mode: how as 'any' | 'race' })
    }
    await using here = await openHere([double, broken, defineTask({ name: 'parent', run: parent })])
    for (const how of ['all', 'collect', 'any', 'race']) await here.tusk.enqueue('parent', { how })
    const first = await here.runAll()
    const ended = first.filter(({ name, outcome }) => name === 'parent' && outcome !== 'waiting')
    expect(ended).toMatchObject([
      {
        payload: { how: 'all' },
        outcome: 'failed',
        error: { message: 'broken failed: broken child' },
      },
      { payload: { how: 'race' }, outcome: 'failed' },
    ])
    await here.pass('1 hour')
    const second = (await here.runAll()).filter(({ name }) => name === 'parent')

    expect(second).toMatchObject([
      { payload: { how: 'collect' }, output: [{ state: 'failed' }, { state: 'done', output: 8 }] },
      { payload: { how: 'any' }, output: 8 },
    ])
  })
})

describe('ctx.write', () => {
  test('keeps a stream in order, and writes nothing twice that comes before a checkpoint', async () => {
    const chat = async (_: Empty, ctx: Context) => {
      ctx.write('a')
      ctx.write('b')
      await ctx.step('answer', () => 1)
      ctx.write('c')
      await ctx.delay('pause', '1 hour')
      ctx.write('d')
    }
    await using here = await openHere({ chat })
    const { id } = await here.tusk.enqueue('chat', {})
    await here.runAll()
    await here.pass('1 hour')
    await here.runAll()

    const chunks = await here.tusk.tasks.chunks(id)
    expect(chunks.map(({ chunk }) => chunk)).toEqual(['a', 'b', 'c', 'd'])
    expect(chunks.map(({ place }) => place)).toEqual(['1', '2', '3', '4'])
  })
})
