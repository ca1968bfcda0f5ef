import { setTimeout as delay } from 'node:timers/promises'
import { isConnectionLost } from '../db/connection-errors.ts'
import type { Listener } from '../db/listen.ts'
import type { Watched } from '../engine/looking.ts'
import type { EndReason, Json } from '../engine/task.ts'
import { type Duration, toMilliseconds } from '../lib/duration.ts'
import { TuskError } from '../lib/errors.ts'
import { requireOptions } from '../lib/require-known.ts'

/** How a task ended. */
export interface TaskEnd<Output = Json> {
  readonly state: 'done' | 'failed' | 'cancelled'
  /** The reason, if it was not completed. */
  readonly reason: EndReason | null
  readonly attempt: number
  readonly output: Output
  readonly error: Json
}

/** How long to wait for the end of a task, and a signal that stops waiting. */
export interface WaitOptions {
  /** How long to wait before it rejects with `wait_timeout`. Default: for ever. */
  readonly timeout?: Duration | undefined
  /** Ends the wait, not the task. The wait rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface WaitingParts {
  /**
   * Reads a task and asks for a NOTIFY if it ends within that time; null only reads. `cuts` can close its connection
   * while it runs.
   */
  readonly watch: (id: string, time: string | null, cuts: Set<() => void>) => Promise<Watched>
  readonly listener: Listener
  /** The channel on which the database notifies. */
  readonly channel: string
  /** False if LISTEN is not available. Then the client polls. */
  readonly isListening: boolean
}

/** How often to look again in case a notification was lost. Well within the time for which it was requested. */
const watchFor = '1 minute'
const netMs = 20_000
/** Without LISTEN: poll often at first, then every second. */
const firstPauseMs = 50
const longestPauseMs = 1_000
/** Longer delays overflow a timer and fire at once. */
const longestTimerMs = 2_147_483_647
/** How long a query that is running may take when the time is up or the client is closed. */
const lastLookMs = 1_000

/** Waits for any number of tasks to end, over one listening connection. */
export class Waiting {
  readonly #parts: WaitingParts
  readonly #wakers = new Map<string, Set<() => void>>()
  readonly #looks = new Set<Promise<Watched>>()
  readonly #cuts = new Set<() => void>()
  #stopHearing: (() => void) | undefined
  #hears: boolean = false
  #isClosed: boolean = false

  constructor(parts: WaitingParts) {
    this.#parts = parts
  }

  async end(id: string, options: WaitOptions = {}): Promise<TaskEnd> {
    requireOptions('the wait for a task', options, { timeout: true, signal: true })
    const { timeout, signal } = options
    const timeoutMs = timeout === undefined ? Infinity : requireTimeout(timeout)
    signal?.throwIfAborted()
    this.#hear()
    const until = performance.now() + timeoutMs
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
      if (this.#isClosed) throw closed()
      // Registered before the query, so that a notification that arrives meanwhile is not missed.
      const ring = this.#ring(id)
      try {
        const patience = Math.max(until - performance.now(), lastLookMs)
        const seen = await answered(this.#look(id), patience, signal)
        if (isEnd(seen)) return seen
        const left = until - performance.now()
        if (left <= 0) throw tooLate(id, timeoutMs)
        await ring.or(Math.min(left, this.#hears ? netMs : pause), signal)
      } finally {
        ring.drop()
      }
    }
  }

  /** Ends all waits. Resolves when none of them uses the database. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopHearing?.()
    this.#wakeAll()
    // The queries only read, so they can be cut. A database that does not answer would delay closing for much longer.
    const patience = setTimeout(() => {
      for (const cut of this.#cuts) cut()
    }, lastLookMs)
    await Promise.race([
      Promise.allSettled(this.#looks),
      delay(2 * lastLookMs, undefined, { ref: false }),
    ])
    clearTimeout(patience)
  }

  /** Null while the database cannot be reached: waiting survives a restart. */
  async #look(id: string): Promise<Watched | null> {
    const look = this.#parts.watch(id, this.#hears ? watchFor : null, this.#cuts)
    this.#looks.add(look)
    try {
      return await look
    } catch (error) {
      if (isConnectionLost(error)) return null
      throw error
    } finally {
      this.#looks.delete(look)
    }
  }

  #hear(): void {
    if (!this.#parts.isListening || this.#stopHearing !== undefined) return
    this.#stopHearing = this.#parts.listener.hear(this.#parts.channel, {
      onMessage: (id) => {
        for (const wake of this.#wakers.get(id) ?? []) wake()
      },
      onListening: () => {
        this.#hears = true
        this.#wakeAll()
      },
      onDeaf: () => {
        this.#hears = false
        this.#wakeAll()
      },
    })
  }

  #wakeAll(): void {
    for (const wakers of this.#wakers.values()) for (const wake of wakers) wake()
  }

  #ring(id: string) {
    let wake = () => {}
    const rung = new Promise<void>((resolve) => {
      wake = resolve
    })
    const wakers = this.#wakers.get(id) ?? new Set()
    this.#wakers.set(id, wakers.add(wake))
    return {
      or: (ms: number, signal: AbortSignal | undefined) => firstOf(rung, wake, ms, signal),
      drop: () => {
        wakers.delete(wake)
        if (wakers.size === 0 && this.#wakers.get(id) === wakers) this.#wakers.delete(id)
      },
    }
  }
}

/** The result of a query, or undefined if it takes too long. The signal ends it at once. */
async function answered(
  look: Promise<Watched | null>,
  patienceMs: number,
  signal: AbortSignal | undefined,
): Promise<Watched | null> {
  let stop = () => {}
  const late = new Promise<null>((resolve) => {
    stop = () => resolve(null)
  })
  const timer = setTimeout(stop, Math.min(patienceMs, longestTimerMs))
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([look, late])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    signal?.throwIfAborted()
  }
}

/** Resolves at the notification or when the time is up, whichever comes first. The signal makes it throw. */
async function firstOf(
  rung: Promise<void>,
  wake: () => void,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const timer = setTimeout(wake, Math.min(ms, netMs))
  signal?.addEventListener('abort', wake, { once: true })
  try {
    await rung
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', wake)
  }
  signal?.throwIfAborted()
}

function requireTimeout(timeout: Duration): number {
  const ms = toMilliseconds('timeout', timeout)
  if (ms >= 0) return ms
  throw new TuskError('invalid_argument', `timeout cannot be ${timeout}`, {
    hint: 'Give a duration of 0 or more.',
  })
}

function isEnd(seen: Watched | null): seen is Watched & TaskEnd {
  return seen !== null && seen.state !== 'queued' && seen.state !== 'running'
}

/** The error of every call on a client that was closed. */
export function closed(): TuskError {
  return new TuskError('client_closed', 'this client was closed', { hint: 'Open another.' })
}

function tooLate(id: string, timeout: number): TuskError {
  return new TuskError('wait_timeout', `task ${id} did not end within ${timeout} ms`, {
    hint: 'It goes on; wait again, or cancel it.',
  })
}

/** The output of a completed task. Throws for any other end, with the task's own error as cause. */
export function outputOf(id: string, end: TaskEnd): Json {
  switch (end.state) {
    case 'done':
      return end.output
    case 'cancelled':
      throw new TuskError('task_cancelled', `task ${id} was cancelled`)
    case 'failed':
      throw new TuskError(
        'task_failed',
        `task ${id} failed (${end.reason})${messageOf(end.error)}`,
        {
          cause: end.error,
        },
      )
  }
}

function messageOf(error: Json): string {
  if (error === null || typeof error !== 'object' || !('message' in error)) return ''
  return `: ${String(error['message'])}`
}
