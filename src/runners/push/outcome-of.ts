import { describeError } from '../describe-error.ts'
import { encodeJson } from '../encode-json.ts'
import { failed, type Outcome } from '../outcome.ts'
import { toStorableText } from '../storable-text.ts'
import { PushError } from './push-error.ts'
import type { Answered } from './send.ts'

/** The attempt may succeed later: the endpoint is busy, slow, or not there yet. */
const passing = new Set([408, 425, 429])
/** No endpoint puts a task off for longer with Retry-After. */
const longestDelaySeconds = 86_400
/** Of an answer that reports a failure, so much is kept with the attempt. */
const keptCharacters = 2_000

/** What an answer means for the task: 2xx is done, 408, 425, 429 and 5xx are tried again, all others are final. */
export function outcomeOf(answer: Answered, nowMs: number): Outcome {
  const { status } = answer
  if (status >= 200 && status < 300) return { kind: 'done', output: outputOf(answer) }
  const retry = status >= 500 || passing.has(status)
  const error = new PushError(
    retry ? 'push_unavailable' : 'push_rejected',
    `the endpoint answered ${status}`,
    { status, response: answer.body.slice(0, keptCharacters) },
  )
  return failed(describePushError(error), { retry, delay: retry ? delayOf(answer, nowMs) : null })
}

/** What never reached the endpoint, or was never answered. An answer that was too large was one. */
export function outcomeOfError(error: unknown): Outcome {
  const code = error instanceof PushError ? error.code : undefined
  return failed(describePushError(error), {
    reason: code === 'push_timeout' ? 'timeout' : 'error',
    retry: code !== 'push_response_too_large',
  })
}

/** The error as it is kept, with status and answer of the endpoint. */
function describePushError(error: unknown): string {
  const told = JSON.parse(describeError(error)) as Record<string, unknown>
  if (!(error instanceof PushError)) return JSON.stringify(told)
  const { status, response } = error
  const { stack: _, ...fields } = told
  return JSON.stringify({
    ...fields,
    ...(status === undefined ? {} : { status }),
    ...(response === undefined || response === '' ? {} : { response: toStorableText(response) }),
  })
}

/** JSON becomes the output as it is; other text becomes a string. */
function outputOf({ body, contentType }: Answered): string | null {
  if (body.trim() === '') return null
  if (/^application\/(json|[\w.+-]+\+json)/i.test(contentType)) {
    try {
      return encodeJson('output', JSON.parse(body))
    } catch {
      // Said to be JSON, and is not: kept as it came.
    }
  }
  return encodeJson('output', toStorableText(body))
}

/** Seconds, or a date; null leaves it to the task's backoff. */
function delayOf({ retryAfter }: Answered, nowMs: number): string | null {
  if (retryAfter === undefined) return null
  const seconds = /^\d+$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - nowMs) / 1_000
  if (!Number.isFinite(seconds) || seconds < 0) return null
  return `${Math.min(Math.ceil(seconds), longestDelaySeconds)} seconds`
}
