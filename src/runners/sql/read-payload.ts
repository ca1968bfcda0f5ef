import type { Json } from '../../engine/task.ts'

/** What a SQL task says, as it was enqueued; docs/learn/sql-tasks.md describes it. */
export interface SqlPayload {
  readonly sql?: string
  readonly statement?: string
  /** A durable procedure, with its schema, and its arguments. */
  readonly procedure?: string
  readonly args?: readonly (string | null)[]
  readonly params?: readonly Json[] | Readonly<Record<string, Json>>
  /** A registered name, or a connection string where that is allowed. Absent: the engine's own database. */
  readonly connection?: string | { readonly dsn: string }
  readonly role?: string
  readonly session?: {
    readonly live?: string
    /** The same in milliseconds; the engine writes it, because only Postgres reads '1 hour' as Postgres does. */
    readonly live_ms?: number
    readonly count?: number
    readonly save?: boolean
    readonly scope?: string
  }
  readonly settings?: Readonly<Record<string, string | number | boolean>>
  readonly search_path?: string
  readonly max_rows?: number
  /** Of the output, as JSON. */
  readonly max_bytes?: number
  /** An output that cannot be kept whole is an error, and nothing is cut. */
  readonly whole?: boolean
  /** The run is told of before its first statement: whoever looks, the task itself too, sees that it runs. */
  readonly announced?: boolean
}

/** The engine checks payloads when they are enqueued; here it is enough to look for what was meant. */
export function readPayload(payload: Json): SqlPayload {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new PayloadFault('the payload of a SQL task is an object with "sql" or "statement"')
  }
  const given = payload as SqlPayload
  if (![given.sql, given.statement, given.procedure].some((each) => typeof each === 'string')) {
    throw new PayloadFault('the payload says neither "sql" nor "statement" nor "procedure"')
  }
  return given
}

/** The task cannot be meant as it is; no further attempt would change that. */
export class PayloadFault extends Error {
  override readonly name = 'PayloadInvalid'
  readonly code = 'invalid_payload'
}

/** What stands for the task's own id in a setting: whoever writes the payload does not know it yet. */
const ownId = '{task}'

/** Settings that the task asks for, in the order in which they are set. */
export function settingsOf(
  { settings = {}, search_path }: Pick<SqlPayload, 'settings' | 'search_path'>,
  id: string,
): [string, string][] {
  const given = Object.entries(settings).map(([name, value]): [string, string] => [
    name,
    value === ownId ? id : String(value),
  ])
  return search_path === undefined ? given : [['search_path', search_path], ...given]
}

/** Parameters in the order of $1, $2, …; `names` says which name is which. */
export function boundValues(
  params: SqlPayload['params'],
  names: readonly string[],
): (string | null)[] {
  if (params === undefined) return []
  const values = Array.isArray(params)
    ? (params as readonly Json[])
    : names.map((name) => (params as Readonly<Record<string, Json>>)[name] ?? null)
  return values.map(asText)
}

/** As the server reads it: text and numbers as they are, the rest as JSON. */
function asText(value: Json): string | null {
  if (value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
