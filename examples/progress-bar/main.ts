// A handler reports its progress, and a caller shows it while it waits.
import { setTimeout as pause } from 'node:timers/promises'
import { type Context, startWorker, Tusk } from 'pgtusk'

const tasks = {
  convert: async ({ pages }: { pages: number }, { progress, signal }: Context) => {
    for (let page = 1; page <= pages; page += 1) {
      await pause(100, undefined, { signal })
      await progress({ percent: Math.round((100 * page) / pages) })
    }
    return `${pages} pages`
  },
}

const tusk = await Tusk.open({ tasks })
const worker = await startWorker({ database: tusk.pool, tasks, logger: false })
const task = await tusk.enqueue('convert', { pages: 8 })

let isOver = false
const end = task.wait().finally(() => {
  isOver = true
})
while (!isOver) {
  const done = (await task.progress()) as { percent: number } | null
  const percent = done?.percent ?? 0
  process.stderr.write(`\r[${'#'.repeat(percent / 10).padEnd(10)}] ${percent} %`)
  await pause(50)
}
process.stderr.write('\n')
console.log(await end)

await worker.stop()
await tusk.close()
