import { setTimeout as delay } from 'node:timers/promises'
import type { Metrics } from '../../shared/cells.ts'
import { monotonicMs } from '../../shared/protocol.ts'
import type { Sizes } from '../sizes.ts'
import type { DurableAgent, Stage } from '../stage.ts'
import type { RunInput } from '../subjects/subject.ts'
import type { Workload } from './workload.ts'

/** How long to wait until every run waits, also if a worker polls once a second for one run. */
const settleMs = 8_000
const pauseMs = 100
const patienceMs = 30_000

export const wake: Workload = {
  name: 'wake',
  shows: 'milliseconds from a signal, or from the end of a sleep, until the run goes on',
  variants: [
    { name: 'signal', round: bySignal },
    { name: 'sleep', round: byTime },
  ],
}

async function bySignal(stage: Stage, { wakes }: Sizes): Promise<Metrics> {
  const [producer, worker] = [await stage.producer(), await stage.start('worker 1')]
  await worker.call('work', null, 0)
  const runs = runsOf('signal', wakes, 0)
  await producer.call('start', runs)
  await delay(settleMs)
  for (const { run } of runs) {
    await producer.call('signal', run)
    await delay(pauseMs)
  }
  return lateness(worker, wakes)
}

async function byTime(stage: Stage, { wakes, sleepMs }: Sizes): Promise<Metrics> {
  const [producer, worker] = [await stage.producer(), await stage.start('worker 1')]
  await worker.call('work', null, 0)
  for (const run of runsOf('sleep', wakes, sleepMs)) {
    await producer.call('start', [run])
    await delay(pauseMs)
  }
  return lateness(worker, wakes)
}

function runsOf(kind: 'signal' | 'sleep', count: number, sleepMs: number): RunInput[] {
  return Array.from({ length: count }, (_, n) => ({ run: `run ${n}`, kind, steps: 0, sleepMs }))
}

/** Runs that never continue are counted, and left out of the times. */
async function lateness(worker: DurableAgent, wanted: number): Promise<Metrics> {
  const givesUpAt = monotonicMs() + patienceMs
  let samples: readonly number[] = []
  while (samples.length < wanted && monotonicMs() < givesUpAt) {
    await delay(pauseMs)
    samples = await worker.call('lateness')
  }
  const sorted = [...samples].sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), max: at(1), missing: wanted - samples.length }
}
