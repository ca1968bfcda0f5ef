import { setTimeout as delay } from 'node:timers/promises'
import type { Stage } from '../scenarios/scenario.ts'

/** Changes per second: each task is enqueued, claimed and completed. */
const rate = 5_000
const changesPerTask = 3
const lines = 3
const perStep = 100

/**
 * Enqueues, claims and completes tasks in bulk over a few connections, until `seconds` are over. A connection
 * that is late does its next step at once. Steps that did not fit into the time are left out. Returns the number of changes.
 */
export async function burst(stage: Stage, seconds: number): Promise<number> {
  const made = await Promise.all(Array.from({ length: lines }, (_, n) => line(stage, n, seconds)))
  return made.reduce((sum, changes) => sum + changes, 0)
}

async function line(stage: Stage, n: number, seconds: number): Promise<number> {
  const { subject, connections } = stage
  const db = await connections.get(`burst ${n}`)
  const queue = `burst-${n}`
  const stepMs = (1_000 * perStep * changesPerTask * lines) / rate
  const from = performance.now()
  let changes = 0
  for (let step = 0; step * stepMs < seconds * 1_000; step++) {
    const early = from + step * stepMs - performance.now()
    if (early > 0) await delay(early)
    if (performance.now() - from > seconds * 1_000) break
    await subject.enqueueMany(db, { queue, count: perStep })
    const claimed = await subject.claim(db, queue, perStep)
    changes += perStep + claimed.length + (await subject.complete(db, claimed))
  }
  return changes
}
