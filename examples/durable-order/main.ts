import { defineSignal, defineTask, startWorker, Tusk } from 'pgtusk'

const paid = defineSignal<{ by: string }>('paid')

const pack = defineTask({
  name: 'pack',
  run: async ({ item }: { item: string }) => `${item} in a box`,
})

const order = defineTask({
  name: 'order',
  run: async ({ item }: { item: string }, ctx) => {
    const bill = await ctx.step('bill', () => ({ number: 1, item }))
    // Holds no slot, no lease and no connection until the signal comes, or the day is over.
    const payment = await ctx.receive(paid, { timeout: '1 day' })
    if (payment === undefined) return { state: 'cancelled', bill: bill.number }
    const [box] = await ctx.join(ctx.spawn(pack, { item }))
    await ctx.delay('cool down', 100)
    ctx.write(`shipped ${box}`)
    return { state: 'shipped', bill: bill.number, paidBy: payment.by }
  },
})

const tasks = [order, pack]
const tusk = await Tusk.open({ tasks })
const worker = await startWorker({ database: tusk.pool, tasks, logger: false })

const task = await tusk.enqueue('order', { item: 'a lamp' })
// It is kept if the task does not wait for it yet.
await tusk.tasks.signal(task.id, paid, { by: 'ada' })
console.log(await task.wait())
for (const { chunk } of await tusk.tasks.chunks(task.id)) console.log(chunk)
console.log((await tusk.tasks.steps(task.id)).map(({ name, state }) => `${name}: ${state}`))
await worker.stop()
await tusk.close()
