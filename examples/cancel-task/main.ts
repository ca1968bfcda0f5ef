// A task is cancelled while it runs. The signal of its handler aborts, so the handler stops waiting at
// once.
import { setTimeout as pause } from 'node:timers/promises'
import { type Context, startWorker, Tusk } from 'pgtusk'

const tasks = {
  export: async (_: unknown, { signal }: Context) => {
    try {
      await pause(600_000, undefined, { signal })
    } finally {
      console.log(`stopped: ${(signal.reason as Error).message}`)
    }
    return 'exported'
  },
}

const tusk = await Tusk.open({ tasks })
const worker = await startWorker({ database: tusk.pool, tasks, logger: false })
const task = await tusk.enqueue('export', null)
while (worker.load.running === 0) await pause(10)

await task.cancel()
const { state } = await task.waitForEnd()
await worker.stop()
console.log(state)
await tusk.close()
