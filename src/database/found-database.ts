/** How a database is looked for. */
export interface FindOptions {
  readonly schema: string
  /** Where the embedded Postgres lives. */
  readonly stateDirectory?: string | undefined
  /** Installs or upgrades the engine in a database that was given; the embedded one is always brought up to date. */
  readonly migrate?: boolean | undefined
}

/** Where a client or a worker connects to. */
export interface FoundDatabase<Given> {
  readonly database: Given | string
  /** Gives back what was started here, and only that. */
  close(): Promise<void>
}
