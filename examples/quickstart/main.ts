import { startWorker, Tusk } from 'pgtusk'

const tasks = {
  greet: async ({ name }: { name: string }) => `Hello, ${name}!`,
}

// Without DATABASE_URL this starts a Postgres of its own.
const tusk = await Tusk.open({ tasks })
const worker = await startWorker({ database: tusk.pool, tasks, logger: false })

const task = await tusk.enqueue('greet', { name: 'Ada' }, { maxAttempts: 3 })
console.log(await task.wait())

await worker.stop()
await tusk.close()
