import { fileURLToPath } from 'node:url'
import type { Logger } from '../../lib/logger.ts'
import { safeLogger } from '../../lib/safe-logger.ts'
import { type Io, paint, type Style } from '../process/io.ts'
import { visible } from '../process/visible.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof levels)[number]

/** The folder of this package's code, in a checkout as well as built. */
const ownCode = fileURLToPath(new URL('../../', import.meta.url))

const styles: Readonly<Record<string, Style>> = { warn: 'yellow', error: 'red' }

/**
 * What parts of a server say of themselves, as talk: for people on a terminal, as lines of JSON
 * elsewhere, where a program reads them.
 */
export function openConsoleLogger(io: Io, who: string, least: LogLevel): Logger {
  const tell = (level: LogLevel) => (fields: object, message: string) => {
    if (levels.indexOf(level) < levels.indexOf(least)) return
    const line = io.stderr.isTTY ? forPeople : asJson
    io.stderr.write(`${line(io, level, who, fields, message)}\n`)
  }
  return safeLogger({
    debug: tell('debug'),
    info: tell('info'),
    warn: tell('warn'),
    error: tell('error'),
    isLevelEnabled: (level) => levels.indexOf(level as LogLevel) >= levels.indexOf(least),
  })
}

function forPeople(io: Io, level: LogLevel, who: string, fields: object, message: string): string {
  const { err, ...rest } = fields as { err?: unknown }
  const why = err === undefined ? '' : `: ${err instanceof Error ? err.message : String(err)}`
  const more = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`
  const style = styles[level] ?? 'dim'
  const line = `${paint(io, style, `${who}:`)} ${visible(message + why)}${paint(io, 'dim', visible(more))}`
  const frames = applicationFrames(err).map((frame) => `\n    ${paint(io, 'dim', visible(frame))}`)
  return line + frames.join('')
}

const mostFrames = 6

/** Where in the application's own code an error comes from: frames of Node and of packages lead nowhere. */
function applicationFrames(err: unknown): string[] {
  if (!(err instanceof Error) || typeof err.stack !== 'string') return []
  const frames = err.stack.split('\n').filter((line) => /^\s+at /.test(line))
  const isForeign = (frame: string) => /node:|[\\/]node_modules[\\/]/.test(frame)
  return frames
    .filter((frame) => !isForeign(frame) && !frame.includes(ownCode))
    .slice(0, mostFrames)
    .map((frame) => frame.trim())
}

function asJson(_: Io, level: LogLevel, who: string, fields: object, message: string): string {
  const { err, ...rest } = fields as { err?: unknown }
  const error =
    err instanceof Error ? { type: err.name, message: err.message, stack: err.stack } : err
  const time = new Date().toISOString()
  return JSON.stringify({ time, level, name: who, msg: message, ...rest, err: error })
}
