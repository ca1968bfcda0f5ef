import { Problem } from '../answers/problem.ts'
import { callerKey } from '../gate/caller.ts'
import type { Answer } from '../routing/call.ts'
import type { AnyCall, AnyHandler } from '../routing/route.ts'

const longestKey = 255

/**
 * Does what a request asks for once, however often it is sent: the effect and its answer are stored in
 * one transaction, and a request that is sent again gets that answer. A refusal is not stored, because nothing
 * happened; the same key may try again.
 */
export async function idempotently(
  call: AnyCall,
  header: string,
  fingerprint: Buffer,
  handler: AnyHandler,
): Promise<Answer> {
  const request = { caller: callerKey(call.caller), key: readKey(header) }
  const { verbs } = call.context
  return call.inOneTransaction(async (db) => {
    const begun = await verbs.beginRequest(db, request, fingerprint)
    switch (begun.state) {
      case 'busy':
        throw underWay()
      case 'different':
        throw reused()
      case 'done':
        return storedAnswer(begun)
      case 'new': {
        const answer = await handler(call.within(db))
        await verbs.endRequest(db, request, toStore(answer))
        return answer
      }
    }
  })
}

/** No body at all is stored as an empty text. */
function toStore({ status, headers = {}, body }: Answer) {
  return { status, headers, body: body === undefined ? '' : JSON.stringify(body) }
}

function storedAnswer({ status, headers, body }: ReturnType<typeof toStore>): Answer {
  return {
    status,
    headers: { ...headers, 'idempotency-replayed': 'true' },
    ...(body === '' ? {} : { body: JSON.parse(body) as unknown }),
  }
}

/** The draft writes it as a quoted string; many clients leave the quotes out. */
function readKey(header: string): string {
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (key.length > 0 && key.length <= longestKey && /^[\x20-\x7e]+$/.test(key)) return key
  throw new Problem(
    422,
    'invalid_request',
    `an Idempotency-Key has 1 to ${longestKey} printable ASCII characters`,
    { errors: [{ path: 'headers.idempotency-key', message: 'not a key' }] },
  )
}

function underWay(): Problem {
  return new Problem(
    409,
    'request_in_progress',
    'the first request with this Idempotency-Key is still running',
    {
      hint: 'Send it again in a moment to get its answer.',
      headers: { 'retry-after': '1' },
    },
  )
}

function reused(): Problem {
  return new Problem(
    422,
    'idempotency_key_reused',
    'this Idempotency-Key was used for another request',
    {
      hint: 'Use a new key for each request.',
    },
  )
}
