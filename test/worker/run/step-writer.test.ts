import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../../src/engine/durable.ts'
import type { DurableActions } from '../../../src/runners/handler/durable/actions.ts'
import { DurableRun } from '../../../src/runners/handler/durable/durable-run.ts'
import { Run } from '../../../src/runners/run.ts'
import { StepWriter } from '../../../src/worker/run/step-writer.ts'

const steps = 20

/** Handlers of so many tasks, each with 20 steps; answers how many steps each statement stored. */
async function statementsOf(handlers: number): Promise<number[]> {
  const sizes: number[] = []
  const writer = new StepWriter(async (given) => {
    sizes.push(given.length)
    await delay(1)
    return []
  })
  const runOne = async (id: string) => {
    const actions = {
      readSteps: async () => [],
      saveSteps: (_: Run, given: readonly Omit<Checkpoint, 'id' | 'claim'>[]) =>
        writer.save(given.map((step) => ({ id, claim: '1', ...step }))),
    } as unknown as DurableActions
    const durable = new DurableRun(new Run({ id } as never), actions)
    for (let n = 0; n < steps; n++) await durable.step(`step ${n}`, async () => n)
  }
  await Promise.all(Array.from({ length: handlers }, (_, n) => runOne(String(n))))
  return sizes
}

describe('the steps of a worker', () => {
  test('of handlers that run side by side go together', async () => {
    const sizes = await statementsOf(10)

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10 * steps)
    // The first goes alone, and the last are those that it left behind.
    expect(sizes.length).toBeLessThanOrEqual(steps + 2)
  })

  test('of one handler are stored as they come', async () => {
    expect(await statementsOf(1)).toEqual(Array.from({ length: steps }, () => 1))
  })
})
