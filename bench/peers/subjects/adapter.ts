import type { Client } from 'pg'

/** A task as every subject takes it. A higher priority runs first, whatever the subject's own order is. */
export interface PeerTask {
  readonly queue: string
  readonly payload: Payload
  readonly priority?: number
  readonly runAt?: Date
  readonly group?: string
  /** Tusk only: the limit of the task's group travels with the task. */
  readonly maxRunning?: number
}

export interface Payload {
  /** 1 on the tasks that a workload waits for. Tasks that stay in the table have none. */
  readonly m?: 1
  readonly n: number
  /** When enqueue was called, in milliseconds of the monotonic clock that all processes share. */
  readonly t?: number
  readonly text?: string
}

/** Where the limit of 1 per group is set. Only Tusk has more than one place. */
export type GroupLimit = 'none' | 'group' | 'task' | 'queue'

export interface WorkOptions {
  readonly queues: readonly string[]
  readonly groupLimit: GroupLimit
  readonly onTask: (payload: Payload) => void
}

/** One subject in one process. Adapters stay thin: what is measured is the subject, not this code. */
export interface Adapter {
  /** Installs the schema and creates the queues. */
  install(queues: readonly string[]): Promise<void>
  /** Limits `group-0`, `group-1` and so on to one running task each. */
  limitGroups?(groups: number, queue: string, limit: GroupLimit): Promise<void>
  enqueueOne(task: PeerTask): Promise<unknown>
  /** On a connection with an open transaction of the caller. */
  enqueueIn(transaction: Client, task: PeerTask): Promise<unknown>
  enqueueMany(tasks: readonly PeerTask[]): Promise<unknown>
  /** Resolves when the worker runs, to a function that stops it. */
  startWorker(options: WorkOptions): Promise<() => Promise<unknown>>
  close(): Promise<unknown>
}

/** What a subject can do besides draining one queue. */
export type Skill = 'wakes' | 'queues' | 'groups' | 'free groups' | 'group places' | 'all'

export interface PeerSubject {
  readonly name: string
  readonly title: string
  /** Its settings, for the page. */
  readonly settings: string
  /** What it stores of a task that is done. */
  readonly keeps: string
  readonly skills: readonly Skill[]
  /** A query whose column `pending` says whether a task has not ended yet. */
  readonly pending: string
  open(url: string): Promise<Adapter>
}
