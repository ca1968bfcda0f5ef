// An order waits for its payment. After a day without payment it reminds the customer, and after a week
// it is cancelled. The test helper lets the days pass, so the example takes seconds.
import { defineSignal, defineTask } from 'pgtusk'
import { openTestTusk } from 'pgtusk/testing'

const paid = defineSignal<{ by: string }>('paid')
const sent: string[] = []

const order = defineTask({
  name: 'order',
  run: async ({ item }: { item: string }, ctx) => {
    await ctx.step('confirm', () => sent.push(`confirmed ${item}`))
    let payment = await ctx.receive(paid, { timeout: '1 day' })
    if (payment === undefined) {
      await ctx.step('remind', () => sent.push(`reminder for ${item}`), { maxAttempts: 5 })
      // This waits for the same signal a second time, so the wait needs a name of its own.
      payment = await ctx.receive(paid, { as: 'paid after reminder', timeout: '6 days' })
    }
    return payment === undefined ? 'cancelled' : `paid by ${payment.by}`
  },
})

const test = await openTestTusk({ tasks: [order] })
const prompt = await test.tusk.enqueue('order', { item: 'a lamp' })
const late = await test.tusk.enqueue('order', { item: 'a chair' })
const never = await test.tusk.enqueue('order', { item: 'a table' })

await test.runAll()
console.log((await test.tusk.tasks.get(late.id))?.state)
await test.tusk.tasks.signal(prompt.id, paid, { by: 'ada' })
await test.pass('1 day')
await test.runAll()
await test.tusk.tasks.signal(late.id, paid, { by: 'bob' })
await test.pass('6 days')

for (const task of [prompt, late, never]) console.log((await test.waitFor(task)).output)
console.log(sent)
await test.close()
