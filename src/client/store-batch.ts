import { retry } from '../db/retry.ts'
import type { Enqueued, NewTask } from '../engine/task.ts'
import { TuskError } from '../lib/errors.ts'

/** A task whose caller waits until it is stored. */
export interface Pending {
  readonly task: NewTask
  readonly characters: number
  resolve(enqueued: Enqueued): void
  reject(error: unknown): void
}

/** Stores tasks in one statement, all or none. */
export type Send = (tasks: readonly NewTask[]) => Promise<readonly Enqueued[]>

/** Deadlock and serialization failure: rolled back, and likely to succeed when repeated. */
const passing = new Set(['40P01', '40001'])
const again = { tries: 3, delayMs: 10, longestDelayMs: 50 } as const

/**
 * Stores a batch and settles the promise of each caller. A task that cannot be stored fails alone: the others are sent
 * again without it. Never rejects.
 */
export async function storeBatch(batch: readonly Pending[], send: Send): Promise<void> {
  try {
    tell(batch, await retry(again, mayPass, () => send(batch.map(({ task }) => task))))
  } catch (error) {
    const parts = isAboutOne(error) ? apart(batch, placeOf(error)) : [batch]
    if (parts.length === 1) for (const { reject } of batch) reject(error)
    else for (const part of parts) await storeBatch(part, send)
  }
}

function mayPass(error: unknown): boolean {
  return passing.has(String((error as { code?: unknown }).code))
}

function tell(batch: readonly Pending[], answers: readonly Enqueued[]): void {
  for (const [place, { resolve, reject }] of batch.entries()) {
    const answer = answers[place]
    if (answer !== undefined) resolve(answer)
    else reject(new Error(`${answers.length} answers for ${batch.length} tasks`))
  }
}

/** Whether the error is about one task, and not about the state of the database. */
function isAboutOne(error: unknown): boolean {
  const codes: readonly unknown[] = ['invalid_argument', 'payload_too_large', 'not_permitted']
  return error instanceof TuskError && codes.includes(error.code)
}

/** The task at fault and the others. Two halves if the task at fault is not known. */
function apart(batch: readonly Pending[], place: number | undefined): (readonly Pending[])[] {
  if (batch.length === 1) return [batch]
  if (place === undefined) {
    const half = batch.length >> 1
    return [batch.slice(0, half), batch.slice(half)]
  }
  const others = [...batch]
  // Sent once more alone, so that its error describes that one task.
  const culprit = others.splice(place - 1, 1)
  return [others, culprit]
}

/** Which task the engine rejected, from the error's DETAIL: `{"task": 3}`. */
function placeOf(error: unknown): number | undefined {
  const { cause } = error as { cause?: { detail?: unknown } }
  const [, place] = /^\{"task": (\d+)\}$/.exec(String(cause?.detail)) ?? []
  return place === undefined ? undefined : Number(place)
}
