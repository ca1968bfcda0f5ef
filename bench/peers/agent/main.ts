import { answerCalls, usageNow } from '../../shared/answer-calls.ts'
import { monotonicMs } from '../../shared/protocol.ts'
import type { Adapter, GroupLimit, Payload } from '../subjects/adapter.ts'
import { subjectNamed } from '../subjects/all.ts'
import { enqueueInTransactions, enqueueSingly, enqueueSteadily, fill, trickle } from './producer.ts'
import type { AgentVerbs } from './protocol.ts'

/** A process with one subject in it: a producer, a worker, or first a producer and then a worker. */
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

  usage: AgentVerbs['usage'] = usageNow

  async close() {
    await this.stopWorker()
    await this.#adapter?.close()
  }

  get #opened(): Adapter {
    if (this.#adapter === undefined) throw new Error('call open() first')
    return this.#adapter
  }
}

answerCalls(new Agent())
