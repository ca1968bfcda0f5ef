import type { StepRow } from '../../../engine/durable.ts'
import type { Json } from '../../../engine/task.ts'
import { toInterval, toTimerMs } from '../../../lib/duration.ts'
import { NotStorable } from '../../../lib/storable-json.ts'
import { StepFailed, type StepOptions } from '../../../tasks/durable.ts'
import { describeError } from '../../describe-error.ts'
import { encodeJson } from '../../encode-json.ts'
import type { Run } from '../../run.ts'
import type { NewCheckpoint } from './actions.ts'

const longestPauseMs = 3_600_000

type StepBase = Omit<NewCheckpoint, 'state'>

interface Taken {
  readonly checkpoint: NewCheckpoint
  /** Set if the step failed and is retried after this pause. */
  readonly pause: string | undefined
  /** Set if the step failed and its handler must get the error. */
  readonly thrown?: { readonly error: unknown }
}

/** The result of a step that is over, as JSON returns it. Throws if the step failed for good. */
export function resultOf({ name, state, output, error }: StepResult): unknown {
  if (state === 'failed') throw new StepFailed(name, error)
  return output
}

type StepResult = Pick<StepRow, 'name' | 'state' | 'output' | 'error'>

/** The checkpoint as later runs will read it. */
export function asStored({ name, state, output, error }: NewCheckpoint): StepResult {
  return { name, state, output: parseJson(output), error: parseJson(error) }
}

export function parseJson(text: string | null): Json {
  return text === null ? null : (JSON.parse(text) as Json)
}

/** Makes one attempt at a step. Returns what to store. */
export async function attemptStep(
  run: Run,
  name: string,
  attemptsBefore: number,
  work: (signal: AbortSignal) => unknown,
  options: StepOptions,
): Promise<Taken> {
  const startedAt = new Date()
  const base = { name, kind: 'step', startedAt, output: null, error: null } as const
  const { timeout } = options
  const limit =
    timeout === undefined ? undefined : AbortSignal.timeout(toTimerMs('timeout', timeout, 1))
  const signal = limit === undefined ? run.signal : AbortSignal.any([run.signal, limit])
  let thrown: unknown
  try {
    const value = await (limit === undefined ? work(signal) : withinTime(work(signal), limit))
    return {
      checkpoint: { ...base, state: 'done', output: encodeJson('result', value) },
      pause: undefined,
    }
  } catch (error) {
    if (run.aborted !== undefined) throw error
    if (error instanceof NotStorable) return failedForGood(base, error)
    thrown = error
  }
  return failedOnce(base, attemptsBefore + 1, thrown, options)
}

/** What to store after an attempt that failed: another follows, or it was the last. */
function failedOnce(
  base: StepBase,
  attempt: number,
  thrown: unknown,
  { maxAttempts, backoff }: StepOptions,
): Taken {
  const error = describeError(thrown)
  if (maxAttempts === undefined) {
    return {
      checkpoint: { ...base, state: 'retrying', error },
      pause: undefined,
      thrown: { error: thrown },
    }
  }
  if (attempt >= maxAttempts) {
    return { checkpoint: { ...base, state: 'failed', error }, pause: undefined }
  }
  const given = typeof backoff === 'function' ? backoff(attempt, thrown) : backoff
  const pause =
    toInterval('backoff', given ?? Math.min(1_000 * 2 ** (attempt - 1), longestPauseMs)) ?? '0'
  return { checkpoint: { ...base, state: 'retrying', error }, pause }
}

/** For a step that was done and whose result cannot be stored: another attempt would do it a second time. */
export function failedForGood(step: StepBase, error: unknown): Taken {
  const checkpoint = {
    ...step,
    state: 'failed',
    output: null,
    error: describeError(error),
  } as const
  return { checkpoint, pause: undefined }
}

function withinTime(work: unknown, limit: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    limit.addEventListener('abort', () => reject(limit.reason), { once: true })
    Promise.resolve(work).then(resolve, reject)
  })
}
