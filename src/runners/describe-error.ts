import { inspect } from 'node:util'
import { toStorableText } from './storable-text.ts'

const longestMessage = 2_000
const longestStack = 3_000
const deepestCause = 4
/** Each attempt keeps its error. A chain of long causes must not fill the table. */
const mostCharacters = 8_000

const unspeakable = 'something that cannot be shown was thrown'

interface ErrorFields {
  name: string
  message: string
  code?: string
  hint?: string
  stack?: string
  cause?: ErrorFields
}

/** Describes an error as JSON, as it is kept with the attempt: name, message, code, hint, stack and causes, up to a limit. */
export function describeError(error: unknown): string {
  const fields = describe(error, 0)
  for (;;) {
    const text = JSON.stringify(fields)
    if (text.length <= mostCharacters || !shorten(fields)) return text
  }
}

/** Any value can be thrown, and inspecting it must not throw again. */
function describe(error: unknown, depth: number): ErrorFields {
  try {
    return look(error, depth)
  } catch {
    return { name: 'NonError', message: unspeakable }
  }
}

function look(error: unknown, depth: number): ErrorFields {
  if (!(error instanceof Error))
    return { name: 'NonError', message: cut(said(error), longestMessage) }
  const { name, message, stack, cause } = error
  const code = codeOf(error)
  const { hint } = error as { hint?: unknown }
  return {
    name: cut(name, 200),
    message: cut(message, longestMessage),
    ...(code === undefined ? {} : { code: cut(code, 200) }),
    ...(typeof hint === 'string' ? { hint: cut(hint, longestMessage) } : {}),
    ...(stack === undefined ? {} : { stack: cut(stack, longestStack) }),
    ...(cause === undefined || depth === deepestCause ? {} : { cause: describe(cause, depth + 1) }),
  }
}

/** Removes the least important part: the stack of the deepest cause that has one, then the cause itself. */
function shorten(fields: ErrorFields): boolean {
  if (fields.cause !== undefined) {
    if (shorten(fields.cause)) return true
    delete fields.cause
    return true
  }
  if (fields.stack === undefined) return false
  delete fields.stack
  return true
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
}

/** The message of a thrown value, which need not be an Error. */
function said(thrown: unknown): string {
  try {
    return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 2, breakLength: 120 })
  } catch {
    return unspeakable
  }
}

function cut(text: unknown, longest: number): string {
  const whole = toStorableText(typeof text === 'string' ? text : said(text))
  return whole.length <= longest ? whole : `${toStorableText(whole.slice(0, longest))}…`
}
