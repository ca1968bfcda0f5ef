import { TuskError } from '../../lib/errors.ts'
import { jsonFaultInWords } from '../../lib/json-fault.ts'

/** A table to serve, as `pg_task.json` names it. What is left out is looked up, or has a default. */
export interface TableEntry {
  readonly data?: string
  readonly user?: string
  readonly schema?: string
  readonly table?: string
  /** How often to look for tasks, in milliseconds, while no notification comes. */
  readonly sleep?: number
  /** After which time a task whose worker is gone runs again; never later than the usual lease. */
  readonly reset?: string
  /** The most tasks that run at once. */
  readonly run?: number
  /** Means nothing here: statements always run as if sent by a client. */
  readonly spi?: boolean
  /** A connection string of its own, for a database on another server. */
  readonly url?: string
}

/** Which tables one process serves. */
export interface ServiceConfig {
  readonly tables: readonly TableEntry[]
  readonly engineSchema: string
  readonly dialectSchema: string
  /** Whether tasks may bring a connection string in `remote`. */
  readonly allowRemote: boolean
}

const kinds: Readonly<Record<keyof TableEntry, string>> = {
  data: 'string',
  user: 'string',
  schema: 'string',
  table: 'string',
  sleep: 'number',
  reset: 'string',
  run: 'number',
  spi: 'boolean',
  url: 'string',
}
const optionKinds: Readonly<Record<string, string>> = {
  engineSchema: 'string',
  dialectSchema: 'string',
  allowRemote: 'boolean',
}

/** Reads a configuration: the array that pg_task has in `pg_task.json`, or an object with it in `tables`. */
export function readConfig(text: string): ServiceConfig {
  const given = parse(text)
  const { tables, ...options } = Array.isArray(given) ? { tables: given } : asObject(given, 'it')
  if (!Array.isArray(tables)) throw invalid('it names no tables')
  check(options, optionKinds, 'the configuration')
  tables.forEach((entry, at) => {
    const name = `table ${at + 1}`
    checkEntry(asObject(entry, name), name)
  })
  return {
    tables: tables as TableEntry[],
    engineSchema: 'tusk',
    dialectSchema: 'pgtask',
    allowRemote: false,
    ...options,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(`it is not JSON: ${jsonFaultInWords(text)}`, cause)
  }
}

/** Without the value: it may be a connection string. */
function asObject(given: unknown, name: string): Record<string, unknown> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    return given as Record<string, unknown>
  }
  throw invalid(`${name} is not an object`)
}

function checkEntry(entry: Record<string, unknown>, name: string): void {
  check(entry, kinds, name)
  for (const number of ['sleep', 'run']) {
    const value = entry[number]
    if (value !== undefined && !(Number.isInteger(value) && Number(value) >= 1)) {
      throw invalid(`${number} of ${name} must be a whole number from 1`)
    }
  }
  const { url } = entry
  // Without the value: it may hold a password.
  if (typeof url === 'string' && !(/^postgres(ql)?:\/\//.test(url) && URL.canParse(url))) {
    throw invalid(`url of ${name} must be a URI such as postgres://login@host:5432/database`)
  }
}

function check(
  given: Record<string, unknown>,
  known: Readonly<Record<string, string>>,
  name: string,
): void {
  for (const [key, value] of Object.entries(given)) {
    const kind = known[key]
    if (kind === undefined) throw invalid(`${name} has ${key}, which means nothing`)
    if (value !== null && typeof value !== kind)
      throw invalid(`${key} of ${name} must be a ${kind}`)
  }
}

function invalid(message: string, cause?: unknown): TuskError {
  return new TuskError('invalid_argument', `the configuration cannot be used: ${message}`, {
    hint: 'It looks like [{"data": "billing", "schema": "public", "table": "task"}].',
    cause,
  })
}
