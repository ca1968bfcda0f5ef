const mostBytes = 1_048_576

/** An escape that jsonb refuses: NUL, or half of a character; not one whose backslash is itself escaped. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i

type Stored = 'output' | 'payload' | 'progress'

/** Why a value cannot be kept as JSON, in words for the one who gave it. */
export class NotStorable extends Error {
  override readonly name = 'NotStorable'
  readonly code: string

  constructor(why: string, options: { readonly what: Stored; readonly cause?: unknown }) {
    super(`the ${options.what} cannot be stored: ${why}`, { cause: options.cause })
    this.code = `${options.what}_not_storable`
  }
}

/** A value as the JSON that Postgres will take, null for nothing; throws NotStorable otherwise. */
export function encodeJson(what: Stored, value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = stringify(what, value)
  if (text.includes('\\u') && unstorable.test(text)) {
    throw new NotStorable('it has a NUL or a lone surrogate in a string', { what })
  }
  if (text.length > mostBytes / 4 && Buffer.byteLength(text) > mostBytes) {
    throw new NotStorable(`it is larger than ${mostBytes} bytes`, { what })
  }
  return text
}

function stringify(what: Stored, value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value, refuseFunctions)
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new NotStorable(why, { what, cause: error })
  }
  if (text === undefined) throw new NotStorable('it has no JSON form', { what })
  return text
}

/** JSON.stringify() leaves these out without a word, and the reader of the output would miss them. */
function refuseFunctions(name: string, value: unknown): unknown {
  if (typeof value !== 'function' && typeof value !== 'symbol') return value
  throw new TypeError(`${name === '' ? 'it' : `its ${JSON.stringify(name)}`} is a ${typeof value}`)
}
