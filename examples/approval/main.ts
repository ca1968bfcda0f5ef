// A payment that waits for the approval of a person, who gives it from psql. The signal goes to the
// key of the task, so the person need not know its id.
import { spawnSync } from 'node:child_process'
import { defineSignal, defineTask, startWorker, Tusk } from 'pgtusk'

const approved = defineSignal<{ by: string }>('approved')

const payment = defineTask({
  name: 'payment',
  run: async ({ amount }: { amount: number }, ctx) => {
    const approval = await ctx.receive(approved, { timeout: '3 days' })
    return approval === undefined ? 'expired' : `${amount} approved by ${approval.by}`
  },
})

const tusk = await Tusk.open({ tasks: [payment] })
const worker = await startWorker({ database: tusk.pool, tasks: [payment], logger: false })
const task = await tusk.enqueue('payment', { amount: 700 }, { key: 'payment 17' })

const approve = `select tusk.signal('payment', 'payment 17', 'approved', '{"by": "ada"}') > 0 as sent`
const psql = spawnSync('psql', ['-XAtc', approve, process.env['DATABASE_URL'] ?? ''])
// On a machine without psql, run the same statement from here.
if (psql.status !== 0) await tusk.pool.query(approve)
console.log(await task.wait())
await worker.stop()
await tusk.close()
