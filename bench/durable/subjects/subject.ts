/** What a run of the durable function `bench` does; it travels as JSON. */
export interface RunInput {
  /** Unique; also the key or id of the run, where the subject takes one. */
  readonly run: string
  /** steps: that many steps; signal: waits for a signal; sleep: sleeps `sleepMs`. */
  readonly kind: 'steps' | 'signal' | 'sleep'
  readonly steps: number
  readonly sleepMs: number
}

/** The calls that the durable function makes. Everything else in it belongs to the subject. */
export interface Hooks {
  /** The work of a step. */
  step(run: string, step: number): Promise<number>
  /** The time until which a run sleeps, in milliseconds of the monotonic clock. */
  bedtime(sleepMs: number): number
  /** The run continues after a sleep or a signal that was due at this time. */
  woken(dueMs: number): void
  /** The last line. */
  ended(run: string): Promise<void>
}

export interface WorkOptions {
  readonly hooks: Hooks
  /** How many runs at once; undefined: the subject's default. */
  readonly atOnce: number | undefined
}

/** One subject in one process. Adapters stay thin: what is measured is the subject, not this code. */
export interface Adapter {
  install(): Promise<unknown>
  start(runs: readonly RunInput[]): Promise<unknown>
  /** Wakes a run that waits; the payload is the time of the call. */
  signal(run: string, sentMs: number): Promise<unknown>
  /** Begins to work; close() ends it. */
  work(options: WorkOptions): Promise<unknown>
  close(): Promise<unknown>
}

export interface OpenOptions {
  readonly url: string
  /** Different for each process. A restarted process has the same. */
  readonly processName: string
}

export interface DurableSubject {
  readonly name: string
  readonly title: string
  /** Its settings, for the page. */
  readonly settings: string
  /** How it handles processes that died. */
  readonly recovery: string
  /** A query whose column `unfinished` counts the runs that have not ended. */
  readonly unfinished: string
  /** The workloads that it takes part in; all by default. */
  readonly only?: readonly string[]
  /** Why it cannot be measured here; undefined if it can. */
  readonly missing?: () => string | undefined
  /** Once, by the main process, when the packages are there. */
  readonly prepare?: () => Promise<void>
  open(options: OpenOptions): Promise<Adapter>
}
