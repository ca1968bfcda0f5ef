import { setTimeout as pause } from 'node:timers/promises'
import type { Tusk } from '../../client/tusk.ts'
import type { RawTask } from '../../tasks/enqueue-options.ts'
import type { Service } from '../serving/services.ts'
import { chance } from './demo-tasks.ts'

const people = ['ada', 'bob', 'cleo', 'dan', 'eve'] as const
const customers = ['acme', 'globex', 'initech'] as const
const queries = [
  'select count(*) from pg_class',
  'select relname, reltuples from pg_class order by reltuples desc limit 5',
  "select pg_sleep(0.5); select 'rested' as state",
  'analyze',
] as const

/** A second of the demo: mostly mail, sometimes the rest; once in a while something that fails for good. */
const everyMs = 1_000

/** Enqueues a few tasks a second and takes documents out again, until stopped. */
export function startDemoLoad(tusk: Tusk, onError: (error: unknown) => void): Service {
  const stopping = new AbortController()
  const running = Promise.all([
    repeat(() => enqueueSome(tusk), stopping.signal, onError),
    repeat(() => shipOrders(tusk), stopping.signal, onError),
  ])
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function enqueueSome(tusk: Tusk): Promise<void> {
  const tasks: RawTask[] = [mail(), mail(), ...(chance(0.5) ? [mail()] : [])]
  if (chance(0.5)) tasks.push(thumbnail())
  if (chance(0.7)) tasks.push(webhook())
  if (chance(0.15)) tasks.push(report())
  if (chance(0.5)) tasks.push(order())
  await tusk.enqueueTasks(tasks)
  if (chance(0.2)) await tusk.sql(pick(queries), { maxAttempts: 1 })
  if (chance(0.03)) await tusk.sql('select 1 / 0 as never', { maxAttempts: 1 })
}

function mail(): RawTask {
  const payload = { to: `${pick(people)}@example.org` }
  const later = chance(0.1) ? { delay: '20 seconds' } : {}
  return { queue: 'mail', handler: 'send_mail', payload, tags: ['demo'], maxAttempts: 4, ...later }
}

function thumbnail(): RawTask {
  const image = `photo-${Math.floor(Math.random() * 1_000)}.jpg`
  return { queue: 'images', handler: 'make_thumbnail', payload: { image }, maxAttempts: 2 }
}

/** At most one call per customer at once: their group sees to it. */
function webhook(): RawTask {
  const customer = pick(customers)
  const groups = [`customer ${customer}`]
  return {
    queue: 'webhooks',
    handler: 'call_webhook',
    payload: { customer },
    groups,
    maxAttempts: 3,
  }
}

function report(): RawTask {
  const month = `2026-${String(1 + Math.floor(Math.random() * 12)).padStart(2, '0')}`
  return { queue: 'reports', handler: 'monthly_report', payload: { month }, priority: 5 }
}

function order(): RawTask {
  return {
    queue: 'orders',
    kind: 'document',
    payload: { item: 'tea', count: 1 + Math.floor(Math.random() * 9) },
  }
}

/** What any program does that pulls: take, do, tell. */
async function shipOrders(tusk: Tusk): Promise<void> {
  for (const held of await tusk.claims.claim('orders', { limit: 3, worker: 'demo shop' })) {
    if (chance(0.1)) await tusk.claims.fail(held, { message: 'out of stock' })
    else await tusk.claims.complete(held, { shipped: true })
  }
}

function pick<T>(from: readonly [T, ...T[]]): T {
  return from[Math.floor(Math.random() * from.length)] ?? from[0]
}

async function repeat(
  once: () => Promise<void>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  while (await pause(everyMs * (0.5 + Math.random()), true, { signal }).catch(() => false)) {
    await once().catch(onError)
  }
}
