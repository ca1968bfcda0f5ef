import { Tusk } from 'pgtusk'

const tusk = await Tusk.open()

// The key of an order stays taken after the order is done, so each order is enqueued once.
await tusk.queues.set('orders', { keepsKeys: true })
for (const key of ['A-1', 'A-2', 'A-1']) {
  const { outcome } = await tusk.enqueueTask({
    queue: 'orders',
    kind: 'document',
    key,
    payload: { parcels: 2 },
  })
  console.log(`${key}: ${outcome}`)
}

// The caller holds both for five minutes; no other client gets them meanwhile.
const [first, second] = await tusk.claims.claim('orders', { limit: 10, lease: '5 minutes' })
if (first === undefined || second === undefined) throw new Error('there should be two')

// The first has another round tomorrow. The second is done.
const tomorrow = new Date(Date.now() + 86_400_000)
await tusk.claims.reschedule(first, tomorrow, { payload: { parcels: 1 } })
await tusk.claims.complete(second, { shipped: true })

const late = await tusk.claims.complete(first).catch((error: { code: string }) => error.code)
console.log(`a second report about ${first.key}: ${late}`)

const { tasks } = await tusk.tasks.list({ queue: 'orders' })
for (const { key, state, iteration } of tasks) console.log(`${key}: ${state}, round ${iteration}`)

await tusk.close()
