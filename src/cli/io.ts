import { TuskError } from '../lib/errors.ts'

interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}

/** What a command may touch of the world. Tests hand in their own. */
export interface Io {
  /** Data, for the next program in the pipe. */
  readonly stdout: Output
  /** Talk, for the person watching. */
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  /** Resolves when the person asks us to stop. */
  stopRequested(): Promise<void>
}

/** Says one line to the person. */
export function say(io: Io, line = ''): void {
  io.stderr.write(`${line}\n`)
}

/** Gives one line of data. */
export function give(io: Io, line: string): void {
  io.stdout.write(`${line}\n`)
}

type Style = 'bold' | 'dim' | 'red'
const codes: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31 }

/** Colours talk for a terminal, and only there; see no-color.org. */
export function paint(io: Io, style: Style, text: string): string {
  if (!io.stderr.isTTY || io.env['NO_COLOR'] || io.env['TERM'] === 'dumb') return text
  return `\x1b[${codes[style]}m${text}\x1b[0m`
}

/** The message, then what to do about it. A stack trace only for those who ask. */
export function sayError(io: Io, error: unknown): void {
  say(io, `${paint(io, 'red', 'tusk:')} ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof TuskError && error.hint) say(io, paint(io, 'dim', error.hint))
  if (io.env['TUSK_DEBUG'] && error instanceof Error) say(io, error.stack)
}
