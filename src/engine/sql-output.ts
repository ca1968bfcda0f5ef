/** A column of a result; `type` is spelled as Postgres spells it. */
export interface SqlColumn {
  readonly name: string
  readonly type: string
  readonly type_oid: number
  readonly typmod: number
}

/** What one statement gave. Values are text, as the server wrote them. */
export interface SqlResult {
  /** Its command tag, such as `SELECT 1`; null while it has not ended. */
  readonly tag: string | null
  /** Null for a statement that gives no rows at all. */
  readonly columns: readonly SqlColumn[] | null
  readonly rows: readonly (readonly (string | null)[])[]
  /** All rows there were. */
  readonly row_count: number
  /** Those that were not kept. */
  readonly dropped: number
  /** What COPY … TO STDOUT wrote. */
  readonly copy?: string
  /** The bytes of it that were not kept. */
  readonly copy_dropped?: number
  /** Sent by the runner, because the text left its transaction open. */
  readonly implied?: true
}

/** What the server said on the side, after so many statements had ended. */
export interface SqlNotice {
  readonly severity: string
  readonly code: string
  readonly message: string
  readonly detail?: string
  readonly hint?: string
  readonly where?: string
  readonly after: number
}

/** Whether the effect of the statements and the task's completion were one transaction. */
export type Delivery = 'exactly_once' | 'at_least_once'

/** What a SQL task gives back. */
export interface SqlOutput {
  /** Some of it was not kept: it was more than the limits of the task or the worker. */
  readonly cut?: true
  readonly results: readonly SqlResult[]
  readonly notices: readonly SqlNotice[]
  /** Results and notices beyond what an output may hold. */
  readonly results_dropped?: number
  readonly notices_dropped?: number
  readonly delivery: Delivery
  /** The backend that ran it. */
  readonly pid: number
  readonly duration_ms: number
}

/** Codes of failures that have no SQLSTATE, because no server answered. */
export type ConnectionFault =
  /** Nobody answered. */
  | 'connection_failed'
  /** Somebody answered and said no; `sqlstate` says why. */
  | 'connection_rejected'
  /** It was cut while something ran. */
  | 'connection_lost'
  /** No connection has that name. */
  | 'connection_unknown'
  /** The worker does not do that: a connection string in a task, a secret it does not give out. */
  | 'connection_not_allowed'
  /** The connection string cannot be read. */
  | 'connection_string_invalid'

/** What is kept of a failed run: every field of the server's error, and what there was before it. */
export interface SqlError {
  readonly name: 'SqlError' | 'SqlConnectionError'
  /** The SQLSTATE, or one of {@link ConnectionFault}. */
  readonly code: string
  readonly message: string
  /** Of a server that refused the connection. */
  readonly sqlstate?: string
  readonly severity?: string
  readonly detail?: string
  readonly hint?: string
  /** Counted in characters from 1, in the whole text. */
  readonly position?: number
  readonly internal_position?: number
  readonly internal_query?: string
  readonly where?: string
  readonly schema?: string
  readonly table?: string
  readonly column?: string
  readonly type?: string
  readonly constraint?: string
  readonly file?: string
  readonly line?: string
  readonly routine?: string
  /** Statements that had ended before. */
  readonly statement: number
  readonly results: readonly SqlResult[]
  readonly notices: readonly SqlNotice[]
  readonly results_dropped?: number
  readonly notices_dropped?: number
  readonly delivery: Delivery
  readonly pid: number | null
  readonly duration_ms: number
}
