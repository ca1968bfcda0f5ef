/** An escape that jsonb rejects: NUL or a lone surrogate, unless its backslash is itself escaped. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/** Why a value cannot be stored as JSON, in words for the caller. */
export class NotStorable extends Error {
  override readonly name = 'NotStorable'
}

/** A value as JSON that Postgres can hold. Throws NotStorable otherwise. */
export function storableJson(value: unknown): string {
  const text = stringify(value)
  if (text.includes('\\u') && unstorable.test(text)) {
    throw new NotStorable('it has a NUL or half a character (a lone surrogate) in a string')
  }
  return text
}

function stringify(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value, refuseFunctions)
  } catch (error) {
    // The first line is enough. For a cycle, JSON.stringify() draws the path on the following lines.
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new NotStorable(why, { cause: error })
  }
  if (text === undefined) throw new NotStorable('it has no JSON form')
  return text
}

/** JSON.stringify() drops functions silently, and the reader of the value would miss them. */
function refuseFunctions(name: string, value: unknown): unknown {
  if (typeof value !== 'function' && typeof value !== 'symbol') return value
  throw new TypeError(`${name === '' ? 'it' : `its ${JSON.stringify(name)}`} is a ${typeof value}`)
}
