/** A column of a result. `type` is the name that Postgres gives it. */
export interface SqlColumn {
  readonly name: string
  readonly type: string
  readonly type_oid: number
  readonly typmod: number
}

/** The result of one statement. Values are text, as the server wrote them. */
export interface SqlResult {
  /** Its command tag, such as `SELECT 1`. Null if the statement has not ended. */
  readonly tag: string | null
  /** Null for a statement that returns no rows. */
  readonly columns: readonly SqlColumn[] | null
  readonly rows: readonly (readonly (string | null)[])[]
  /** How many rows the statement returned. */
  readonly row_count: number
  /** How many of them were not kept. */
  readonly dropped: number
  /** The output of COPY … TO STDOUT. */
  readonly copy?: string
  /** How many bytes of it were not kept. */
  readonly copy_dropped?: number
  /** Sent by the runner, because the text left its transaction open. */
  readonly implied?: true
}

/** A notice from the server, after this many statements had ended. */
export interface SqlNotice {
  readonly severity: string
  readonly code: string
  readonly message: string
  readonly detail?: string
  readonly hint?: string
  readonly where?: string
  readonly after: number
}

/** Whether the effect of the statements and the task's completion were in one transaction. */
export type Delivery = 'exactly_once' | 'at_least_once'

/** The output of a SQL task. */
export interface SqlOutput {
  /** Some of it was not kept, because it exceeded the limits of the task or the worker. */
  readonly cut?: true
  readonly results: readonly SqlResult[]
  readonly notices: readonly SqlNotice[]
  /** How many results and notices were not kept. */
  readonly results_dropped?: number
  readonly notices_dropped?: number
  readonly delivery: Delivery
  /** The backend that ran it. */
  readonly pid: number
  readonly duration_ms: number
}

/** Codes of failures without a SQLSTATE, because the error did not come from the server. */
export type ConnectionFault =
  /** The server did not answer. */
  | 'connection_failed'
  /** The server rejected the connection; `sqlstate` says why. */
  | 'connection_rejected'
  /** The connection was lost while a statement ran. */
  | 'connection_lost'
  /** No connection has that name. */
  | 'connection_unknown'
  /** The worker does not allow it, such as a connection string in a task or this secret. */
  | 'connection_not_allowed'
  /** The connection string is invalid. */
  | 'connection_string_invalid'

/** The error of a failed run: every field of the server's error, and the results before it. */
export interface SqlError {
  readonly name: 'SqlError' | 'SqlConnectionError'
  /** The SQLSTATE, or one of {@link ConnectionFault}. */
  readonly code: string
  readonly message: string
  /** Set if the server rejected the connection. */
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
  /** How many statements had ended before. */
  readonly statement: number
  readonly results: readonly SqlResult[]
  readonly notices: readonly SqlNotice[]
  readonly results_dropped?: number
  readonly notices_dropped?: number
  readonly delivery: Delivery
  readonly pid: number | null
  readonly duration_ms: number
}
