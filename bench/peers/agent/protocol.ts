import type { Usage } from '../../shared/answer-calls.ts'
import type { GroupLimit } from '../subjects/adapter.ts'

/** Which tasks a producer enqueues. */
export interface Fill {
  readonly queues: readonly string[]
  readonly count: number
  /** Tasks that stay in the table. No workload waits for them. */
  readonly isBackground?: boolean
  readonly priority?: number
  readonly inFuture?: boolean
  readonly payloadBytes?: number
  readonly perCall?: number
  readonly groups?: number
  readonly groupLimit?: GroupLimit
}

/** What a worker did so far. Times are milliseconds of the monotonic clock that all processes share. */
export interface Progress {
  readonly handled: number
  readonly firstAt: number
  readonly lastAt: number
}

export interface Latencies {
  readonly p50: number
  readonly p99: number
  readonly count: number
}

/** What the main process can ask of a process with a subject in it; arguments and answers travel as JSON. */
export interface AgentVerbs {
  open(subject: string, url: string): Promise<void>
  install(queues: readonly string[]): Promise<void>
  limitGroups(groups: number, queue: string, limit: GroupLimit): Promise<void>
  /** Seconds that the calls took. */
  fill(fill: Fill): Promise<number>
  /** Calls per second. */
  enqueueSingly(callers: number, seconds: number): Promise<number>
  enqueueInTransactions(seconds: number): Promise<number>
  /** One task at a time, with a pause of 20 to 40 ms. */
  trickle(count: number): Promise<void>
  /** Tasks per second that were enqueued. */
  enqueueSteadily(rate: number, seconds: number): Promise<number>
  startWorker(queues: readonly string[], groupLimit: GroupLimit): Promise<void>
  progress(): Promise<Progress>
  /** Of tasks that were enqueued after this time. */
  latencies(since: number): Promise<Latencies>
  stopWorker(): Promise<void>
  usage(): Promise<Usage>
  close(): Promise<void>
}
