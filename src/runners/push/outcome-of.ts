import { describeError } from '../describe-error.ts'
import { encodeJson } from '../encode-json.ts'
import { failed, type Outcome } from '../outcome.ts'
import { toStorableText } from '../storable-text.ts'
import { PushError } from './push-error.ts'
import type { Answered } from './send.ts'

/** Statuses after which the delivery is retried: the endpoint is busy, slow, or not there yet. */
const passing = new Set([408, 425, 429])
/** The longest delay that an endpoint can request with Retry-After. */
const longestDelaySeconds = 86_400
/** How many characters of a failed response are kept with the attempt. */
const keptCharacters = 2_000

/**
 * The outcome of a response: 2xx completes the task, 408, 425, 429 and 5xx are retried, all others fail it for good.
 */
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

/**
 * The outcome if the request never reached the endpoint or was never answered. A response that is too large counts as
 * answered.
 */
export function outcomeOfError(error: unknown): Outcome {
  const code = error instanceof PushError ? error.code : undefined
  return failed(describePushError(error), {
    reason: code === 'push_timeout' ? 'timeout' : 'error',
    retry: code !== 'push_response_too_large',
  })
}

/** The error to keep, with the endpoint's status and response. */
function describePushError(error: unknown): string {
  const described = JSON.parse(describeError(error)) as Record<string, unknown>
  if (!(error instanceof PushError)) return JSON.stringify(described)
  const { status, response } = error
  const { stack: _, ...fields } = described
  return JSON.stringify({
    ...fields,
    ...(status === undefined ? {} : { status }),
    ...(response === undefined || response === '' ? {} : { response: toStorableText(response) }),
  })
}

/** JSON becomes the output unchanged. Other text becomes a string. */
function outputOf({ body, contentType }: Answered): string | null {
  if (body.trim() === '') return null
  if (/^application\/(json|[\w.+-]+\+json)/i.test(contentType)) {
    try {
      return encodeJson('output', JSON.parse(body))
    } catch {
      // Declared as JSON but invalid: kept as text.
    }
  }
  return encodeJson('output', toStorableText(body))
}

/** Seconds, or a date. Null leaves the delay to the task's backoff. */
function delayOf({ retryAfter }: Answered, nowMs: number): string | null {
  if (retryAfter === undefined) return null
  const seconds = /^\d+$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - nowMs) / 1_000
  if (!Number.isFinite(seconds) || seconds < 0) return null
  return `${Math.min(Math.ceil(seconds), longestDelaySeconds)} seconds`
}
