import { TuskError } from '../lib/errors.ts'
import { findJsonFault } from '../lib/json-fault.ts'
import { NotStorable, storableJson } from '../lib/storable-json.ts'

/** More than this is not sent to the database. The limit of a queue is enforced there. */
const mostCharacters = 64 * 1024 * 1024

/** Encodes a value as JSON that Postgres can hold. Throws `invalid_payload` if that is not possible. */
export function encodeJson(what: string, value: unknown): string {
  return notTooLong(what, stringify(what, value))
}

/** Checks JSON text that was written elsewhere and is stored with every digit. */
export function writtenJson(what: string, text: string): string {
  const fault = findJsonFault(text, { keepsDigits: true })
  if (fault === undefined) return notTooLong(what, text)
  const message = `the ${what} is not JSON: ${fault.what} at character ${fault.at + 1}`
  throw new TuskError('invalid_payload', message, { hint: 'Write it as one JSON value.' })
}

function notTooLong(what: string, text: string): string {
  if (text.length > mostCharacters) {
    throw new TuskError('payload_too_large', `the ${what} has ${text.length} characters`, {
      hint: 'Store the data elsewhere and enqueue a reference.',
    })
  }
  return text
}

/** Rejects text that would be stored differently: Postgres can hold neither NUL nor a lone surrogate. */
export function requireText(what: string, text: string): void {
  if (typeof text !== 'string') {
    throw new TuskError('invalid_argument', `${what} is not a text`, { hint: 'Give a string.' })
  }
  if (/\0|\p{Surrogate}/u.test(text)) {
    throw new TuskError('invalid_argument', `${what} has a NUL or a lone surrogate in it`, {
      hint: 'Postgres cannot hold either.',
    })
  }
}

function stringify(what: string, value: unknown): string {
  try {
    return storableJson(value)
  } catch (error) {
    throw error instanceof NotStorable ? refusal(what, error) : error
  }
}

function refusal(what: string, cause: NotStorable): TuskError {
  return new TuskError('invalid_payload', `the ${what} cannot be stored: ${cause.message}`, {
    hint: 'A payload is JSON: objects, arrays, strings, numbers, booleans and null.',
    cause,
  })
}
