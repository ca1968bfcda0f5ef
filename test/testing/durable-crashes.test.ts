import { expect, test } from 'vitest'
import type { Context } from '../../src/tasks/context.ts'
import { openHere } from '../support/testing.ts'

type Empty = Record<never, never>

test('a task of 20 steps gives the same output and each effect once, wherever its process dies', {
  timeout: 240_000,
}, async () => {
  const effects: number[] = []
  const order = async (_: Empty, ctx: Context) => {
    let sum = 0
    for (let n = 0; n < 19; n++) {
      sum += await ctx.transaction(`step ${n}`, async () => {
        effects.push(n)
        return n
      })
    }
    await ctx.delay('sleep', '1 hour')
    const [child] = await ctx.join(ctx.spawn('child', {}))
    return { sum, child }
  }
  await using here = await openHere({ order, child: () => 'grown' })
  // 19 steps, the sleep, the spawn and the join.
  for (let call = 1; call <= 22; call++) {
    for (const when of ['before', 'after'] as const) {
      effects.length = 0
      await here.clear()
      await here.tusk.enqueue('order', {})
      here.crashAt(call, when)
      const ran = await here.runAll()
      await here.pass('1 hour')
      ran.push(...(await here.runAll()))

      const end = ran.find(({ name, outcome }) => name === 'order' && outcome === 'done')
      expect(end?.output, `${when} call ${call}`).toEqual({ sum: 171, child: 'grown' })
      expect(effects, `${when} call ${call}`).toEqual(Array.from({ length: 19 }, (_, n) => n))
      expect(
        ran.filter(({ outcome }) => outcome === 'lost'),
        `${when} ${call}`,
      ).toHaveLength(1)
    }
  }
})
