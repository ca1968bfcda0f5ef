import { setTimeout as pause } from 'node:timers/promises'
import { type Context, startWorker, Tusk } from 'pgtusk'

const tasks = {
  /** Stops when its signal aborts. The worker then gives the task back, and another worker runs it again. */
  transcode: async ({ seconds }: { seconds: number }, { signal }: Context) => {
    await pause(seconds * 1_000, undefined, { signal })
    return 'transcoded'
  },
}

const tusk = await Tusk.open({ tasks })
// By default SIGTERM and SIGINT do what stop() does; here we stop by hand.
const worker = await startWorker({
  database: tusk.pool,
  tasks,
  concurrency: 2,
  signals: false,
  logger: false,
})

const short = await tusk.enqueue('transcode', { seconds: 0.5 })
const long = await tusk.enqueue('transcode', { seconds: 600 })
while (worker.load.running < 2) await pause(10)

// Nothing more is claimed; running handlers have two seconds, then their signals abort.
await worker.stop({ deadlineMs: 2_000 })

console.log('short:', await short.wait())
const { state, attempt } = (await tusk.tasks.get(long.id)) ?? {}
console.log(`long: ${state} again, ${attempt} attempts charged`)

await tusk.close()
