import { flushLogger } from './flush-logger.ts'
import { isLogged, type Level, type Logger } from './logger.ts'
import { redact } from './redact.ts'

const deepest = 4
const unspeakable = 'an error that cannot be shown'

/** Names of fields whose values are never logged. */
const secretName =
  /^(?:.*[_-])?(?:passw(?:or)?d|pwd|secret|token|authorization|cookie|connectionstring|dsn|credentials?|api_?key)$/i

/**
 * The fields of an error that are logged besides its message. Drivers attach much more to errors: rows and parameters
 * that the server rejected, the connection string, even the whole client with its password.
 */
const keptOfErrors = [
  ...['code', 'errno', 'syscall', 'address', 'port', 'hint'],
  ...['severity', 'schema', 'table', 'column', 'constraint', 'routine'],
]

/** Wraps a logger so that it never writes a password, a token or a connection string. */
export function safeLogger(logger: Logger): Logger {
  const tell = (level: Level) => (fields: object, message: string) => {
    if (isLogged(logger, level)) logger[level](clean(fields, deepest) as object, redact(message))
  }
  return {
    debug: tell('debug'),
    info: tell('info'),
    warn: tell('warn'),
    error: tell('error'),
    isLevelEnabled: (level) => isLogged(logger, level as Level),
    flush: (callback) => void flushLogger(logger).then(() => callback?.()),
  }
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (value instanceof Error) return cleanError(value, depth)
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.map((each) => clean(each, depth - 1))
  const fields = Object.entries(value).map(([name, each]) => [
    name,
    secretName.test(name) && each != null ? '***' : clean(each, depth - 1),
  ])
  return Object.fromEntries(fields)
}

/** Any value can be thrown, and inspecting it must not throw again. */
function cleanError(error: Error, depth: number): Error {
  try {
    return copyError(error, depth)
  } catch {
    return new Error(unspeakable)
  }
}

/** An error of the same class, so that loggers format it as usual. */
function copyError(error: Error, depth: number): Error {
  const copy = new Error(redact(String(error.message)))
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error))
  const set = (name: string, value: unknown, enumerable = false) =>
    Object.defineProperty(copy, name, { value, enumerable, writable: true, configurable: true })
  set('name', String(error.name))
  set('stack', redact(String(error.stack ?? '')))
  for (const name of keptOfErrors) {
    const value = (error as unknown as Record<string, unknown>)[name]
    if (typeof value === 'string' || typeof value === 'number') set(name, clean(value, 0), true)
  }
  if (depth === 0) return copy
  if (error.cause !== undefined) set('cause', clean(error.cause, depth - 1))
  if (error instanceof AggregateError) set('errors', clean(error.errors, depth - 1))
  return copy
}
