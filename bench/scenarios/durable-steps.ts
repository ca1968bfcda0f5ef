import type { Context } from '../../src/tasks/context.ts'
import { Meter } from '../measure/meter.ts'
import { fill } from './fill.ts'
import type { Scenario, Stage } from './scenario.ts'
import { drained, spentByBackends, startBenchWorker } from './worker-drain.ts'

const queue = 'bench'
const stepsOfTask = 20
/** A step is a statement's worth of work, where a task of a drain is a part of one. */
const share = 5

export const durableSteps: Scenario = {
  name: 'durable-steps',
  shows: 'one worker as it comes, with steps that do nothing; everything per step',
  variants: [
    {
      name: 'tasks of 20 steps',
      suits: (subject) => subject.keepsGroups,
      round: (stage) => measure(stage, stage.sizes.tasks / share / stepsOfTask, stepsOfTask),
    },
    {
      name: 'one task alone',
      suits: (subject) => subject.keepsGroups,
      round: (stage) => measure(stage, 1, stage.sizes.tasks / share / stepsOfTask),
    },
  ],
}

async function measure(stage: Stage, tasks: number, steps: number) {
  const { admin, connections } = stage
  await fill(stage, { queue, count: tasks })
  const db = await connections.get('watch')
  const meter = await Meter.start(admin, { watch: [db] })
  const worker = await startBenchWorker(stage, async (_: never, ctx: Context) => {
    for (let n = 1; n <= steps; n++) await ctx.step(`step ${n}`, () => n)
  })
  await drained(db)
  const figures = await meter.stop(tasks * steps)
  const spent = await spentByBackends(db)
  await worker.stop()
  return { ...figures, databaseMicros: spent / (tasks * steps), databaseMicrosBy: {} }
}
