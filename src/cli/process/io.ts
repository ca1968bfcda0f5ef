import { TuskError } from '../../lib/errors.ts'
import { redact } from '../../lib/redact.ts'
import { NotFound } from './not-found.ts'
import { visible } from './visible.ts'

interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  /** How many letters fit in a line of the terminal. */
  readonly columns?: number | undefined
}

/** What a command may touch of the world. Tests hand in their own. */
export interface Io {
  /** Data, for the next program in the pipe. */
  readonly stdout: Output
  /** Talk, for the person watching. */
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  /** Where it was started; by default the process's own folder. */
  readonly cwd?: string | undefined
  /** Nothing is said but what went wrong. */
  readonly isQuiet?: boolean | undefined
  /** Asks the person, if there is one: on a terminal. */
  ask?(question: string): Promise<string>
  /** Resolves when the person asks us to stop. */
  stopRequested(): Promise<void>
  /** Resolves when the reader of the data has gone: a command that prints without end stops then. */
  readerGone?(): Promise<void>
  /** Resolves when they ask again. Who listens here is in charge of hurrying; otherwise the process ends. */
  hurryRequested?(): Promise<void>
}

/** Says one line to the person. */
export function say(io: Io, line = ''): void {
  if (!io.isQuiet) io.stderr.write(`${line}\n`)
}

/** Gives one line of data. */
export function give(io: Io, line: string): void {
  io.stdout.write(`${line}\n`)
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
const codes: Readonly<Record<Style, number>> = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
}

/** Colours for a terminal, and only there; see no-color.org. */
export function paint(
  io: Io,
  style: Style,
  text: string,
  on: 'stdout' | 'stderr' = 'stderr',
): string {
  return hasColors(io, on) ? `\x1b[${codes[style]}m${text}\x1b[0m` : text
}

export function hasColors(io: Io, on: 'stdout' | 'stderr'): boolean {
  return Boolean(io[on].isTTY) && !io.env['NO_COLOR'] && io.env['TERM'] !== 'dumb'
}

/** The message, then what to do about it. A stack trace only for those who ask. */
export function sayError(io: Io, error: unknown): void {
  const tell = (line: string) => io.stderr.write(`${line}\n`)
  // It may repeat what others wrote into the database.
  tell(`${paint(io, 'red', 'tusk:')} ${visible(messageOf(error))}`)
  const hint = hintOf(error)
  if (hint) tell(paint(io, 'dim', visible(hint)))
  if (io.env['TUSK_DEBUG'] && error instanceof Error) tell(redact(error.stack ?? ''))
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // Errors of our own are written without secrets, and may show what a connection string looks like.
  const message = error instanceof TuskError ? text : redact(text)
  return lacksRight(error) ? `the login may not do this (${message})` : message
}

function hintOf(error: unknown): string | undefined {
  if (error instanceof TuskError || error instanceof NotFound) return error.hint
  if (!lacksRight(error)) return undefined
  return isOfDatabase.test(messageOf(error)) ? mayNotCreate : lacksRole
}

/** As Postgres says it: insufficient_privilege. */
function lacksRight(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}

const isOfDatabase = /permission denied for database/

const mayNotCreate =
  'It needs a schema of its own. The owner of the database can run: grant create on database <database> to <login>.'

const lacksRole =
  'The login lacks a role of Tusk. Its owner can run: grant tusk_operator to <login> (tusk_admin for tokens and the audit).'
