import { retry } from '../db/retry.ts'
import type { Enqueued, NewTask } from '../engine/task.ts'
import { TuskError } from '../lib/errors.ts'

/** A task that somebody waits to see stored. */
export interface Pending {
  readonly task: NewTask
  readonly characters: number
  resolve(enqueued: Enqueued): void
  reject(error: unknown): void
}

/** Stores tasks in one statement, all or none. */
export type Send = (tasks: readonly NewTask[]) => Promise<readonly Enqueued[]>

/** Deadlock and serialization failure: rolled back, and likely to pass the next time. */
const passing = new Set(['40P01', '40001'])
const again = { tries: 3, delayMs: 10, longestDelayMs: 50 } as const

/**
 * Stores a batch and tells each of its callers. A task that cannot be stored fails alone: the others
 * are sent again without it. Never rejects.
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

/** Whether a refusal lies in what was asked for, and not in the state of the database. */
function isAboutOne(error: unknown): boolean {
  const codes: readonly unknown[] = ['invalid_argument', 'payload_too_large', 'not_permitted']
  return error instanceof TuskError && codes.includes(error.code)
}

/** The one at fault and the others; two halves if it is not known. */
function apart(batch: readonly Pending[], place: number | undefined): (readonly Pending[])[] {
  if (batch.length === 1) return [batch]
  if (place === undefined) {
    const half = batch.length >> 1
    return [batch.slice(0, half), batch.slice(half)]
  }
  const others = [...batch]
  // Sent alone once more: so its refusal speaks of one task, not of the company it was in.
  const culprit = others.splice(place - 1, 1)
  return [others, culprit]
}

/** Where the engine found fault, from the error's DETAIL: `{"task": 3}`. */
function placeOf(error: unknown): number | undefined {
  const { cause } = error as { cause?: { detail?: unknown } }
  const [, place] = /^\{"task": (\d+)\}$/.exec(String(cause?.detail)) ?? []
  return place === undefined ? undefined : Number(place)
}
