import type { Logger } from '../../lib/logger.ts'
import { type Io, paint, type Style } from '../io.ts'
import { visible } from '../table.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof levels)[number]

const styles: Readonly<Record<string, Style>> = { warn: 'yellow', error: 'red' }

/**
 * What parts of a server say of themselves, as talk: for people on a terminal, as lines of JSON
 * elsewhere, where a program reads them.
 */
export function talkLogger(io: Io, who: string, least: LogLevel): Logger {
  const tell = (level: LogLevel) => (fields: object, message: string) => {
    if (levels.indexOf(level) < levels.indexOf(least)) return
    const line = io.stderr.isTTY ? forPeople : asJson
    io.stderr.write(`${line(io, level, who, fields, message)}\n`)
  }
  return { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') }
}

function forPeople(io: Io, level: LogLevel, who: string, fields: object, message: string): string {
  const { err, ...rest } = fields as { err?: unknown }
  const why = err === undefined ? '' : `: ${err instanceof Error ? err.message : String(err)}`
  const more = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`
  const style = styles[level] ?? 'dim'
  return `${paint(io, style, `${who}:`)} ${visible(message + why)}${paint(io, 'dim', visible(more))}`
}

function asJson(_: Io, level: LogLevel, who: string, fields: object, message: string): string {
  const { err, ...rest } = fields as { err?: unknown }
  const error = err instanceof Error ? { type: err.name, message: err.message } : err
  const time = new Date().toISOString()
  return JSON.stringify({ time, level, name: who, msg: message, ...rest, err: error })
}
