/** What there is to know of the database, at one glance. */
export interface DatabaseReport {
  readonly server: {
    readonly version: string
    readonly database: string
    readonly user: string
    readonly is_standby: boolean
    readonly started_at: string
    readonly now: string
    readonly max_connections: number
    readonly connections: number
    readonly database_bytes: number
    readonly notify_usage: number
  }
  readonly connections: readonly {
    readonly user: string | null
    readonly application: string | null
    readonly state: string | null
    readonly count: number
  }[]
  readonly locks: {
    readonly held: readonly {
      readonly relation: string
      readonly mode: string
      readonly held: number
    }[]
    readonly waiting: readonly LockWait[]
  }
  readonly transactions: readonly OpenTransaction[]
  readonly relations: {
    readonly tables: readonly TableReport[]
    readonly indexes: readonly IndexReport[]
  }
  readonly migrations: readonly Migration[]
  readonly warnings: readonly Finding[]
  readonly unseen: readonly string[]
}

export interface LockWait {
  readonly pid: number
  readonly user: string | null
  readonly relation: string | null
  readonly mode: string
  readonly seconds: number | null
  readonly query: string | null
  readonly blocked_by: readonly number[]
}

export interface OpenTransaction {
  readonly pid: number
  readonly user: string | null
  readonly application: string | null
  readonly state: string | null
  readonly seconds: number
  readonly wait_event: string | null
  readonly holds_back_vacuum: boolean
  readonly query: string | null
}

export interface TableReport {
  readonly name: string
  readonly rows: number
  readonly dead: number
  readonly table_bytes: number
  readonly index_bytes: number
  readonly total_bytes: number
  readonly last_vacuum_at: string | null
  readonly last_analyze_at: string | null
}

export interface IndexReport {
  readonly name: string
  readonly table: string
  readonly bytes: number
  readonly scans: number
  readonly is_valid: boolean
}

export interface Migration {
  readonly path: string
  readonly state: string
  readonly applied_at: string | null
}

export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'notice' | 'warning' | 'problem'
  readonly message: string
  readonly hint: string | null
}
