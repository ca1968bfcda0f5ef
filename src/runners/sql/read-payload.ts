import type { Json } from '../../engine/task.ts'

/** The payload of a SQL task; docs/learn/sql-tasks.md describes it. */
export interface SqlPayload {
  readonly sql?: string
  readonly statement?: string
  /** A durable procedure, with its schema, and its arguments. */
  readonly procedure?: string
  readonly args?: readonly (string | null)[]
  readonly params?: readonly Json[] | Readonly<Record<string, Json>>
  /** A registered name, or a connection string if the worker allows that. Default: the engine's own database. */
  readonly connection?: string | { readonly dsn: string }
  readonly role?: string
  readonly session?: {
    readonly live?: string
    /** `live` in milliseconds. The engine converts it, because only Postgres parses '1 hour' like Postgres. */
    readonly live_ms?: number
    readonly count?: number
    readonly save?: boolean
    readonly scope?: string
  }
  readonly settings?: Readonly<Record<string, string | number | boolean>>
  readonly search_path?: string
  readonly max_rows?: number
  /** Limit of the output, as JSON. */
  readonly max_bytes?: number
  /** If the output cannot be kept whole, the task fails and nothing is cut. */
  readonly whole?: boolean
  /** The run is registered before its first statement, so that operators, and the task itself, can see that it runs. */
  readonly announced?: boolean
}

/** The engine validates payloads when they are enqueued. Here it is enough to find out which form it is. */
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

/** The payload is invalid. A retry would not change that. */
export class PayloadFault extends Error {
  override readonly name = 'PayloadInvalid'
  readonly code = 'invalid_payload'
}

/** The placeholder for the task's own id in a setting: the caller does not know the id when enqueueing. */
const ownId = '{task}'

/** The settings that the task asks for, in the order in which they are applied. */
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

/** Parameters in the order of $1, $2, …; `names` maps names to positions. */
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

/** As the server parses it: text and numbers unchanged, the rest as JSON. */
function asText(value: Json): string | null {
  if (value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
