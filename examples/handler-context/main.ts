import { type Context, startWorker, Tusk } from 'pgtusk'

const tasks = {
  /** Books an order, and enqueues its invoice in the transaction that completes this task. */
  book: ({ order }: { order: number }, { task, signal, log, progress, transaction }: Context) =>
    transaction(async (db) => {
      signal.throwIfAborted()
      log(`attempt ${task.attempt} of ${task.maxAttempts}`)
      await progress({ percent: 50 })
      await db.query('insert into bookings values ($1)', [order])
      await tusk.enqueue('invoice', { order }, { on: db, parent: task.id })
      return { booked: order }
    }),
  invoice: async ({ order }: { order: number }) => `invoice of order ${order}`,
}

const tusk: Tusk<typeof tasks> = await Tusk.open({ tasks })
await tusk.pool.query('drop table if exists bookings; create table bookings (id integer)')
const worker = await startWorker({ database: tusk.pool, tasks, logger: false })

const booking = await tusk.enqueue('book', { order: 7 })
console.log(await booking.wait())

const [invoice] = (await tusk.tasks.list({ queue: 'invoice' })).tasks
const end = await tusk.waitForEnd(invoice?.id ?? '')
console.log(end.output, '- started by the booking:', invoice?.parent === booking.id)

await worker.stop()
await tusk.close()
