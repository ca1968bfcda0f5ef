import { findJsonFault } from './json-fault.ts'
import { Problem } from './problem.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The value of a JSON text. Refuses what could not be kept as it was sent: bytes that are no UTF-8,
 * numbers that JavaScript cannot hold, and nesting that would exhaust whoever reads it next. A key
 * `__proto__` stays a key: JSON.parse() makes it one, and nothing here copies by assignment.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const fault = findJsonFault(text)
  if (fault !== undefined) throw malformed(text, fault.at, fault.what)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(text, 0, error instanceof Error ? error.message : String(error))
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    throw notUtf8(error)
  }
}

function notUtf8(cause: unknown): Problem {
  return new Problem(400, 'malformed_json', 'the body is not UTF-8', { cause })
}

function malformed(text: string, at: number, what: string): Problem {
  const before = text.slice(0, at).split('\n')
  const line = before.length
  const column = (before.at(-1)?.length ?? 0) + 1
  return new Problem(400, 'malformed_json', `${what} at line ${line}, column ${column}`, {
    hint: 'The body must be one JSON value in UTF-8.',
  })
}
