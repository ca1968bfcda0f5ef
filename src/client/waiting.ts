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
  /** Why, if it did not succeed. */
  readonly reason: EndReason | null
  readonly attempt: number
  readonly output: Output
  readonly error: Json
}

/** How long to wait for the end of a task, and a signal that stops the waiting. */
export interface WaitOptions {
  /** After so long the wait rejects with `wait_timeout`. For ever, unless told otherwise. */
  readonly timeout?: Duration | undefined
  /** Ends the wait, not the task; the wait rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface WaitingParts {
  /**
   * Looks at a task, and asks to be rung when it ends within that time; null only looks. While it is under
   * way its connection can be cut.
   */
  readonly watch: (id: string, time: string | null, cuts: Set<() => void>) => Promise<Watched>
  readonly listener: Listener
  /** Where the database rings. */
  readonly channel: string
  /** False where LISTEN is not to be had: then looking again is all there is. */
  readonly isListening: boolean
}

/** The net under a ring that is lost, well within the time for which the ring was asked. */
const watchFor = '1 minute'
const netMs = 20_000
/** Without LISTEN: at first often, then every second. */
const firstPauseMs = 50
const longestPauseMs = 1_000
/** Longer delays overflow a timer and fire at once. */
const longestTimerMs = 2_147_483_647
/** What a look that is under way may take when the time is over, or the client is closed. */
const lastLookMs = 1_000

/** Waits for tasks to end, any number at once, over one connection that listens. */
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
      // Registered before looking: what rings meanwhile is not missed.
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

  /** Ends all waits; resolves when none of them uses the database any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopHearing?.()
    this.#wakeAll()
    // They only read; a database that went silent would be waited for much longer.
    const patience = setTimeout(() => {
      for (const cut of this.#cuts) cut()
    }, lastLookMs)
    await Promise.race([
      Promise.allSettled(this.#looks),
      delay(2 * lastLookMs, undefined, { ref: false }),
    ])
    clearTimeout(patience)
  }

  /** Null while the database is away: waiting outlasts a restart. */
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

/** What a look answers; nothing if that takes too long. The signal ends it at once. */
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

/** Whatever comes first: the ring, the time, or the signal, which throws. */
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

/** What a client that was closed says to whoever goes on asking. */
export function closed(): TuskError {
  return new TuskError('client_closed', 'this client was closed', { hint: 'Open another.' })
}

function tooLate(id: string, timeout: number): TuskError {
  return new TuskError('wait_timeout', `task ${id} did not end within ${timeout} ms`, {
    hint: 'It goes on; wait again, or cancel it.',
  })
}

/** The output of a task that is done; anything else throws, with the task's own error as cause. */
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
