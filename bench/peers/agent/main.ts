import { readFile } from 'node:fs/promises'
import type { Adapter, GroupLimit, Payload } from '../subjects/adapter.ts'
import { subjectNamed } from '../subjects/all.ts'
import { enqueueInTransactions, enqueueSingly, enqueueSteadily, fill, trickle } from './producer.ts'
import { type AgentVerbs, type Answer, type Call, monotonicMs } from './protocol.ts'

/** A process with one subject in it: a producer, a worker, or first the one and then the other. */
class Agent implements AgentVerbs {
  #adapter: Adapter | undefined
  #url = ''
  #stop: (() => Promise<unknown>) | undefined
  #handled = 0
  #firstAt = 0
  #lastAt = 0
  #samples: { readonly at: number; readonly ms: number }[] = []

  async open(subject: string, url: string) {
    this.#url = url
    this.#adapter = await subjectNamed(subject).open(url)
  }

  install = (queues: readonly string[]) => this.#opened.install(queues)

  async limitGroups(groups: number, queue: string, limit: GroupLimit) {
    await this.#opened.limitGroups?.(groups, queue, limit)
  }

  fill: AgentVerbs['fill'] = (given) => fill(this.#opened, given)

  enqueueSingly = (callers: number, seconds: number) =>
    enqueueSingly(this.#opened, callers, seconds)

  enqueueInTransactions = (seconds: number) =>
    enqueueInTransactions(this.#opened, this.#url, seconds)

  trickle = (count: number) => trickle(this.#opened, count)

  enqueueSteadily = (rate: number, seconds: number) => enqueueSteadily(this.#opened, rate, seconds)

  /** Counts from zero again. */
  async startWorker(queues: readonly string[], groupLimit: GroupLimit) {
    this.#handled = 0
    this.#samples = []
    const onTask = (payload: Payload) => this.#count(payload)
    this.#stop = await this.#opened.startWorker({ queues, groupLimit, onTask })
  }

  #count({ m, t }: Payload): void {
    if (m !== 1) return
    this.#lastAt = monotonicMs()
    if (this.#handled === 0) this.#firstAt = this.#lastAt
    this.#handled++
    if (t !== undefined) this.#samples.push({ at: t, ms: this.#lastAt - t })
  }

  progress = async () => ({
    handled: this.#handled,
    firstAt: this.#firstAt,
    lastAt: this.#lastAt,
  })

  async latencies(since: number) {
    const sorted = this.#samples
      .filter(({ at }) => at >= since)
      .map(({ ms }) => ms)
      .sort((one, other) => one - other)
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
    return { p50: at(0.5), p99: at(0.99), count: sorted.length }
  }

  async stopWorker() {
    await this.#stop?.()
    this.#stop = undefined
  }

  async usage() {
    const { user, system } = process.cpuUsage()
    const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
    const peakKb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN)
    return { cpuMicros: user + system, peakRssBytes: peakKb * 1_024 }
  }

  async close() {
    await this.stopWorker()
    await this.#adapter?.close()
  }

  get #opened(): Adapter {
    if (this.#adapter === undefined) throw new Error('call open() first')
    return this.#adapter
  }
}

const agent = new Agent()

process.on('message', (call: Call) => void answer(call))
// The main process is gone: nothing may be left behind.
process.on('disconnect', () => process.exit(1))
// Ctrl-C reaches the whole group; the main process closes its agents itself.
process.on('SIGINT', () => {})

async function answer({ id, verb, args }: Call): Promise<void> {
  const send = (said: Answer) => process.send?.(said)
  try {
    const work = agent[verb] as (...given: readonly unknown[]) => Promise<unknown>
    send({ id, value: await work.apply(agent, [...args]) })
  } catch (error) {
    send({ id, error: error instanceof Error ? error.message : String(error) })
  }
}
