import type { Enqueued, NewTask } from '../engine/task.ts'
import { TuskError } from '../lib/errors.ts'
import { type Pending, type Send, storeBatch } from './store-batch.ts'

/** Limits that keep a client from sending more than the database can take. */
export interface BatchLimits {
  /** The most tasks in one statement. */
  readonly batch: number
  /** The most characters of payload in one statement. A single task may have more. */
  readonly batchCharacters: number
  /** The most tasks that may wait to be stored. One more is rejected. */
  readonly pending: number
  /** The most characters of payload that may wait. */
  readonly pendingCharacters: number
}

export const defaultLimits: BatchLimits = {
  batch: 500,
  batchCharacters: 4_000_000,
  pending: 50_000,
  pendingCharacters: 256_000_000,
}

/** The limits as an application sets them. A value that is not a count is rejected: tasks would wait for ever. */
export function batchLimits({ maxBatch, maxPending }: MostTasks): BatchLimits {
  return {
    ...defaultLimits,
    batch: count('maxBatch', maxBatch ?? defaultLimits.batch),
    pending: count('maxPending', maxPending ?? defaultLimits.pending),
  }
}

interface MostTasks {
  readonly maxBatch?: number | undefined
  readonly maxPending?: number | undefined
}

function count(name: string, given: number): number {
  if (Number.isSafeInteger(given) && given >= 1) return given
  throw new TuskError('invalid_argument', `${name} cannot be ${given}`, {
    hint: 'Give a whole number from 1.',
  })
}

/** A statement that takes longer than this is blocked, by a key for example. Later calls then stop waiting for it. */
const stalledAfterMs = 25
const mostStatements = 4

/**
 * Combines concurrent calls into one statement. The first call is sent at once; calls made while a statement runs form
 * the next one, so no call is delayed on purpose.
 *
 * Each promise settles when its own row is durable. Callers who await are slowed to the pace of the database. Callers
 * who do not are rejected once too many tasks wait.
 */
export class Batcher {
  readonly #send: Send
  readonly #limits: BatchLimits
  #waiting: Pending[] = []
  #statements = 0
  #tasks = 0
  #characters = 0
  #startsSoon: boolean = false
  #isStalled: boolean = false
  #patience: NodeJS.Timeout | undefined

  constructor(send: Send, limits: BatchLimits) {
    this.#send = send
    this.#limits = limits
  }

  add(task: NewTask): Promise<Enqueued> {
    const characters = task.payloadJson?.length ?? 0
    if (this.#tasks >= this.#limits.pending || this.#isFullWith(characters)) {
      return Promise.reject(tooMany(this.#tasks))
    }
    this.#tasks += 1
    this.#characters += characters
    const stored = new Promise<Enqueued>((resolve, reject) => {
      this.#waiting.push({ task, characters, resolve, reject })
    })
    this.#startSoon()
    return stored
  }

  #isFullWith(characters: number): boolean {
    return this.#tasks > 0 && this.#characters + characters > this.#limits.pendingCharacters
  }

  get #mayStart(): boolean {
    return this.#statements === 0 || (this.#isStalled && this.#statements < mostStatements)
  }

  /** Starts one turn of the event loop later, so that calls made in the same turn share a statement. */
  #startSoon(): void {
    if (this.#startsSoon || !this.#mayStart) return
    this.#startsSoon = true
    queueMicrotask(() => {
      this.#startsSoon = false
      this.#start()
    })
  }

  #start(): void {
    const batch = this.#takeBatch()
    if (batch.length === 0) return
    this.#statements += 1
    this.#isStalled = false
    clearTimeout(this.#patience)
    this.#patience = setTimeout(() => {
      this.#isStalled = true
      if (this.#mayStart) this.#start()
    }, stalledAfterMs).unref()
    void storeBatch(batch, this.#send).then(() => this.#ended(batch))
  }

  #takeBatch(): Pending[] {
    let characters = 0
    let count = 0
    for (const pending of this.#waiting) {
      characters += pending.characters
      if (count === this.#limits.batch) break
      if (count > 0 && characters > this.#limits.batchCharacters) break
      count += 1
    }
    return this.#waiting.splice(0, count)
  }

  #ended(batch: readonly Pending[]): void {
    this.#statements -= 1
    this.#tasks -= batch.length
    for (const { characters } of batch) this.#characters -= characters
    this.#start()
  }
}

function tooMany(count: number): TuskError {
  return new TuskError('too_many_pending', `${count} tasks wait to be stored already`, {
    hint: 'Await what you enqueue, or use enqueueMany(): the database is slower than the caller.',
  })
}
