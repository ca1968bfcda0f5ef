import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { HeldTask } from '../../../src/worker/leases/held-task.ts'
import { Buffer } from '../../../src/worker/run/buffer.ts'

const taskOf = (id: number) => ({ id: String(id), row: { queue: 'mail' } }) as unknown as HeldTask

/** Adds and takes tasks so that some always wait; answers what was taken, in order. */
function passThrough(buffer: Buffer, count: number, seen: (task: HeldTask) => void): string[] {
  const taken: string[] = []
  for (let n = 0; n < count; n++) {
    const task = taskOf(n)
    seen(task)
    buffer.add(task)
    if (n >= 100) taken.push(buffer.take()?.id ?? '')
  }
  return taken
}

test('tasks leave a buffer that never runs empty in order', () => {
  const buffer = new Buffer(() => 0)

  const taken = passThrough(buffer, 10_000, () => {})

  expect(taken.map(Number)).toEqual(Array.from({ length: 9_900 }, (_, n) => n))
  expect(buffer.size).toBe(100)
})

test('a buffer that never runs empty lets go of tasks that were taken', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const buffer = new Buffer(() => 0)
  const tasks: WeakRef<HeldTask>[] = []

  passThrough(buffer, 20_000, (task) => tasks.push(new WeakRef(task)))
  // References are kept until the end of a turn.
  await turn()
  collect()

  expect(tasks.filter((task) => task.deref() !== undefined).length).toBeLessThan(3_000)
  // Last, so that the buffer itself was still needed.
  expect(buffer.size).toBe(100)
})
