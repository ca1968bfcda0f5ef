import { TuskError } from '../lib/errors.ts'

/** An escape that jsonb refuses: NUL or half a character; not one whose backslash is itself escaped. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/** Beyond this no queue is worth asking; what a queue takes is the database's to say. */
const mostCharacters = 64 * 1024 * 1024

/** A value as JSON that Postgres can hold, or `invalid_payload`. */
export function encodeJson(what: string, value: unknown): string {
  const text = stringify(what, value)
  if (text.includes('\\u') && unstorable.test(text)) {
    throw notStorable(what, 'it has a NUL or half a character (a lone surrogate) in a string')
  }
  if (text.length > mostCharacters) {
    throw new TuskError('payload_too_large', `the ${what} has ${text.length} characters`, {
      hint: 'Store the data elsewhere and enqueue a reference.',
    })
  }
  return text
}

/** Refuses text that would arrive as another: Postgres knows neither NUL nor half a character. */
export function requireText(what: string, text: string): void {
  if (/\0|\p{Surrogate}/u.test(text)) {
    throw new TuskError('invalid_argument', `${what} has a NUL or a lone surrogate in it`, {
      hint: 'Postgres cannot hold either.',
    })
  }
}

function stringify(what: string, value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value, refuseFunctions)
  } catch (error) {
    // The first line says it; of a cycle, JSON.stringify() draws the way on further ones.
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw notStorable(what, why, error)
  }
  if (text === undefined) throw notStorable(what, 'it has no JSON form')
  return text
}

/** JSON.stringify() leaves these out without a word, and the handler would miss them. */
function refuseFunctions(name: string, value: unknown): unknown {
  if (typeof value !== 'function' && typeof value !== 'symbol') return value
  throw new TypeError(`${name === '' ? 'it' : name} is a ${typeof value}`)
}

function notStorable(what: string, why: string, cause?: unknown): TuskError {
  return new TuskError('invalid_payload', `the ${what} cannot be stored: ${why}`, {
    hint: 'A payload is JSON: objects, arrays, strings, numbers, booleans and null.',
    cause,
  })
}
