import { NotStorable, storableJson } from '../lib/storable-json.ts'

const mostBytes = 1_048_576

type Stored = 'output' | 'payload' | 'progress' | 'result' | 'chunk'

/** What a handler returned cannot be stored. The code says what it was. */
class AnswerNotStorable extends NotStorable {
  readonly code: string

  constructor(what: Stored, why: string, options: { readonly cause?: unknown } = {}) {
    super(`the ${what} cannot be stored: ${why}`, options)
    this.code = `${what}_not_storable`
  }
}

/** Encodes a value as JSON that Postgres can hold; null for undefined. Throws NotStorable otherwise. */
export function encodeJson(what: Stored, value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = stringify(what, value)
  if (text.length > mostBytes / 4 && Buffer.byteLength(text) > mostBytes) {
    throw new AnswerNotStorable(what, `it is larger than ${mostBytes} bytes`)
  }
  return text
}

function stringify(what: Stored, value: unknown): string {
  try {
    return storableJson(value)
  } catch (error) {
    throw error instanceof NotStorable ? refusal(what, error) : error
  }
}

function refusal(what: Stored, cause: NotStorable): AnswerNotStorable {
  return new AnswerNotStorable(what, cause.message, { cause })
}
