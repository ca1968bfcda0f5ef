import { setTimeout as delay } from 'node:timers/promises'
import type { Metrics } from '../../shared/cells.ts'
import { DatabaseMeter } from '../../shared/database-meter.ts'
import { monotonicMs } from '../../shared/protocol.ts'
import type { Sizes } from '../sizes.ts'
import type { DurableAgent, Stage } from '../stage.ts'
import type { RunInput } from '../subjects/subject.ts'
import type { Workload } from './workload.ts'

const lookMs = 10
const tenAtOnce = 10

export const steps: Workload = {
  name: 'steps',
  shows: 'steps per second of one worker, and the CPU time of a step',
  variants: [
    {
      name: 'defaults',
      round: (stage, sizes) => workOff(stage, sizes, { runs: sizes.runs, steps: sizes.steps }),
    },
    {
      name: 'ten',
      round: (stage, sizes) =>
        workOff(stage, sizes, { runs: sizes.runs, steps: sizes.steps, atOnce: tenAtOnce }),
    },
    {
      name: 'single',
      round: (stage, sizes) => workOff(stage, sizes, { runs: 1, steps: sizes.single }),
    },
  ],
}

interface Work {
  readonly runs: number
  readonly steps: number
  readonly atOnce?: number
}

/** The runs exist before the worker starts. Measured from its first step until no run is left. */
async function workOff(stage: Stage, sizes: Sizes, work: Work): Promise<Metrics> {
  const runs = Array.from(
    { length: work.runs },
    (_, n): RunInput => ({
      ...{ run: `run ${n}`, kind: 'steps', steps: work.steps, sleepMs: 0 },
    }),
  )
  await (await stage.producer()).call('start', runs)
  await stage.admin.query('vacuum (analyze)')
  const worker = await stage.start('worker 1')
  const meter = await DatabaseMeter.start(stage.admin)
  const before = await worker.call('usage')
  await worker.call('work', work.atOnce ?? null, 0)
  const wanted = work.runs * work.steps
  const isFinished = await untilStepped(worker, wanted, sizes.patienceSeconds)
  // The last reports may still be on their way.
  while (isFinished && (await stage.unfinished()) > 0) await delay(lookMs)
  const endedAt = monotonicMs()
  const { steps: done, firstAt } = await worker.call('progress')
  const { cpuMicros } = await worker.call('usage')
  return {
    perSecond: (done * 1_000) / (endedAt - firstAt),
    nodeMicros: (cpuMicros - before.cpuMicros) / done,
    databaseMicros: (await meter.stop()) / done,
    finished: isFinished ? 1 : 0,
  }
}

/** Returns whether all steps were done in time. */
async function untilStepped(worker: DurableAgent, wanted: number, seconds: number) {
  const givesUpAt = monotonicMs() + seconds * 1_000
  while (monotonicMs() < givesUpAt) {
    if ((await worker.call('progress')).steps >= wanted) return true
    await delay(lookMs)
  }
  return false
}
