// The payload of a task changed: a name became a first and a last name. Payloads of the old shape, of
// tasks that are still queued or that an old process enqueues, are converted before the handler runs.
import { defineTask, startWorker, Tusk } from 'pgtusk'

const greet = defineTask({
  name: 'greet',
  version: 2,
  lift: {
    1: (payload) => {
      const [first = '', last = ''] = (payload as { name: string }).name.split(' ')
      return { first, last }
    },
  },
  run: async ({ first, last }: { first: string; last: string }) => `Hello ${first} of ${last}`,
})

const tusk = await Tusk.open({ tasks: [greet] })
const old = await tusk.enqueueTask({
  queue: 'greet',
  version: 1,
  payload: { name: 'Ada Lovelace' },
})
const recent = await tusk.enqueue('greet', { first: 'Bob', last: 'Ross' })

const worker = await startWorker({ database: tusk.pool, tasks: [greet], logger: false })
console.log(await old.wait())
console.log(await recent.wait())

await worker.stop()
await tusk.close()
