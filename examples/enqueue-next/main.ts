// Two ways to enqueue the next task from a handler: by itself, with a key, and in the transaction that
// completes the handler's own task.
import { type Context, startWorker, Tusk } from 'pgtusk'

const tasks = {
  /** Fetches a page, and enqueues the next one at once. A second run finds that task by its key. */
  crawl: async ({ page }: { page: number }, { task }: Context) => {
    if (page < 3) {
      await tusk.enqueue('crawl', { page: page + 1 }, { key: `page ${page + 1}`, parent: task.id })
    }
    return `page ${page}`
  },
  /** Ships an order. The order, the mail and the end of this task commit together. */
  ship: ({ order }: { order: number }, { transaction }: Context) =>
    transaction(async (db) => {
      await db.query('insert into shipments values ($1)', [order])
      await tusk.enqueue('mail', { text: `order ${order} is on its way` }, { on: db })
      return 'shipped'
    }),
  mail: async ({ text }: { text: string }) => text,
}

const tusk: Tusk<typeof tasks> = await Tusk.open({ tasks })
await tusk.pool.query('create table shipments (id integer)')
const worker = await startWorker({ database: tusk.pool, tasks, logger: false })

const first = await tusk.enqueue('crawl', { page: 1 })
await first.wait()
const shipped = await tusk.enqueue('ship', { order: 7 })
console.log(await shipped.wait())

// Prints the outputs of the tasks that both have enqueued.
for (const queue of ['crawl', 'mail']) {
  let ended: unknown[] = []
  while (ended.length < (queue === 'crawl' ? 3 : 1)) {
    const found = await tusk.tasks.list({ queue, state: 'done' })
    ended = found.tasks.map(({ output }) => output).reverse()
  }
  console.log(queue, ended)
}
await worker.stop()
await tusk.close()
