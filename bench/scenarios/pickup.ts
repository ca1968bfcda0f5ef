import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Meter } from '../measure/meter.ts'
import type { Scenario } from './scenario.ts'
import { startBenchWorker } from './worker-drain.ts'

const queue = 'bench'
const mostTasks = 300

export const pickup: Scenario = {
  name: 'pickup',
  shows: 'from the call of enqueue() to the start of the handler in an idle worker; milliseconds',
  variants: [
    {
      name: 'one task at a time',
      suits: (subject) => subject.keepsGroups,
      async round(stage) {
        const { subject, admin, connections, sizes } = stage
        const db = await connections.get('enqueue')
        let began = () => {}
        const worker = await startBenchWorker(stage, () => began())
        await delay(500)
        const count = Math.min(sizes.singles, mostTasks)
        const latencies: number[] = []
        const meter = await Meter.start(admin, { enqueue: [db] })
        for (let n = 0; n < count; n++) {
          const started = new Promise<void>((resolve) => {
            began = resolve
          })
          const calledMs = performance.now()
          await Promise.all([subject.enqueueOne(db, queue), started])
          latencies.push(performance.now() - calledMs)
          await delay(20 + Math.random() * 20)
        }
        const figures = await meter.stop(count)
        await worker.stop()
        latencies.sort((one, other) => one - other)
        const at = (share: number) => latencies[Math.floor((count - 1) * share)] ?? 0
        return { ...figures, more: { p50: at(0.5), p90: at(0.9), p99: at(0.99) } }
      },
    },
  ],
}
