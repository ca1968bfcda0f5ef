import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { monotonicMs } from '../../shared/protocol.ts'
import type { Adapter, PeerTask } from '../subjects/adapter.ts'
import type { Fill } from './protocol.ts'

const usualBatch = 1_000
const perTransaction = 100
const tickMs = 10
/** Calls of a steady producer that may be under way at once. */
const mostCalls = 4

export async function fill(adapter: Adapter, given: Fill): Promise<number> {
  const perCall = given.perCall ?? usualBatch
  let seconds = 0
  for (let sent = 0; sent < given.count; sent += perCall) {
    const size = Math.min(perCall, given.count - sent)
    const tasks = Array.from({ length: size }, (_, n) => taskOf(given, sent + n))
    const before = monotonicMs()
    await adapter.enqueueMany(tasks)
    seconds += (monotonicMs() - before) / 1_000
  }
  return seconds
}

function taskOf(given: Fill, n: number): PeerTask {
  const { payloadBytes: bytes, groups, queues, priority, inFuture, isBackground } = given
  return {
    queue: queues[n % queues.length] ?? '',
    payload: {
      ...(isBackground ? {} : { m: 1 as const }),
      n,
      ...(bytes === undefined ? {} : { text: randomBytes((bytes * 3) / 4).toString('base64') }),
    },
    ...(priority === undefined ? {} : { priority }),
    ...(inFuture ? { runAt: new Date(Date.now() + 86_400_000 + n) } : {}),
    ...(groups === undefined ? {} : { group: `group-${scatter(n) % groups}` }),
    ...(given.groupLimit === 'task' ? { maxRunning: 1 } : {}),
  }
}

/** Scattered, so that neighbours are in different groups, and some batches contain the same group twice. */
function scatter(n: number): number {
  return Math.imul(n + 1, 0x9e3779b1) >>> 7
}

export async function enqueueSingly(
  adapter: Adapter,
  callers: number,
  seconds: number,
): Promise<number> {
  const startedMs = monotonicMs()
  let calls = 0
  const call = async () => {
    while (monotonicMs() - startedMs < seconds * 1_000) {
      await adapter.enqueueOne({ queue: 'bench', payload: { m: 1, n: calls } })
      calls++
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return (calls * 1_000) / (monotonicMs() - startedMs)
}

/** A hundred calls to a transaction; begin and commit count. */
export async function enqueueInTransactions(
  adapter: Adapter,
  url: string,
  seconds: number,
): Promise<number> {
  const client = new Client(url)
  await client.connect()
  const startedMs = monotonicMs()
  let calls = 0
  while (monotonicMs() - startedMs < seconds * 1_000) {
    await client.query('begin')
    for (let n = 0; n < perTransaction; n++) {
      await adapter.enqueueIn(client, { queue: 'bench', payload: { m: 1, n } })
    }
    await client.query('commit')
    calls += perTransaction
  }
  const perSecond = (calls * 1_000) / (monotonicMs() - startedMs)
  await client.end()
  return perSecond
}

export async function trickle(adapter: Adapter, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await adapter.enqueueOne({ queue: 'bench', payload: { m: 1, n, t: monotonicMs() } })
    await delay(20 + Math.random() * 20)
  }
}

/** Calls every 10 ms, late or not, with as many tasks as the rate requires by then. The time is the time of the call. */
export async function enqueueSteadily(
  adapter: Adapter,
  rate: number,
  seconds: number,
): Promise<number> {
  const startedMs = monotonicMs()
  const underWay = new Set<Promise<unknown>>()
  let sent = 0
  for (;;) {
    const elapsed = monotonicMs() - startedMs
    if (elapsed >= seconds * 1_000) break
    const size = Math.min(Math.floor((elapsed * rate) / 1_000) - sent, usualBatch)
    if (size > 0 && underWay.size < mostCalls) {
      const payload = { m: 1 as const, n: sent, t: monotonicMs() }
      const call = adapter
        .enqueueMany(Array.from({ length: size }, () => ({ queue: 'bench', payload })))
        .finally(() => underWay.delete(call))
      underWay.add(call)
      sent += size
    }
    await delay(tickMs)
  }
  await Promise.all(underWay)
  return (sent * 1_000) / (monotonicMs() - startedMs)
}
