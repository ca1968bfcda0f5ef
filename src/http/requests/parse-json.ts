import { findJsonFault, type JsonFault } from '../../lib/json-fault.ts'
import { Problem } from '../answers/problem.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The value of a JSON text. Refuses what could not be kept as it was sent: bytes that are not UTF-8,
 * numbers that JavaScript cannot hold, and nesting that would exhaust the next reader. A key
 * `__proto__` stays a key: JSON.parse() makes it one, and nothing here copies by assignment.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const fault = findJsonFault(text)
  if (fault !== undefined) throw refused(text, fault)
  return JSON.parse(text)
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    throw notUtf8(error)
  }
}

function notUtf8(cause: unknown): Problem {
  return new Problem(400, 'malformed_json', 'the body is not valid UTF-8', { cause })
}

function refused(text: string, { at, what, isValue = false }: JsonFault): Problem {
  const before = text.slice(0, at).split('\n')
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
  return isValue
    ? new Problem(422, 'invalid_request', `the body has ${what} at ${place}`)
    : new Problem(400, 'malformed_json', `${what} at ${place}`, {
        hint: 'The body must be one JSON value in UTF-8.',
      })
}
