import { Tusk } from 'pgtusk'

const tusk = await Tusk.open()

// An order is known by its number: once, also after it is done.
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

// Whoever pulls holds what it got for five minutes; nobody else gets it meanwhile.
const [first, second] = await tusk.claims.claim('orders', { limit: 10, lease: '5 minutes' })
if (first === undefined || second === undefined) throw new Error('there should be two')

// The first lives on: another round tomorrow. The second is done.
const tomorrow = new Date(Date.now() + 86_400_000)
await tusk.claims.reschedule(first, tomorrow, { payload: { parcels: 1 } })
await tusk.claims.complete(second, { shipped: true })

const late = await tusk.claims.complete(first).catch((error: { code: string }) => error.code)
console.log(`a second word about ${first.key}: ${late}`)

const { tasks } = await tusk.tasks.list({ queue: 'orders' })
for (const { key, state, iteration } of tasks) console.log(`${key}: ${state}, round ${iteration}`)

await tusk.close()
