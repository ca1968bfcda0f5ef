/** How to find a database. */
export interface FindOptions {
  readonly schema: string
  /** Where the embedded Postgres keeps its data. */
  readonly stateDirectory?: string | undefined
  /** Installs or upgrades the engine in a database that was passed. The embedded one is always upgraded. */
  readonly migrate?: boolean | undefined
}

/** The database that a client or a worker connects to. */
export interface FoundDatabase<Given> {
  readonly database: Given | string
  /** Closes what was started here, and nothing else. */
  close(): Promise<void>
}
