import { packagedDialect } from '../db/sql-source.ts'
import type { Dialect } from './dialect.ts'

export const pgBackground: Dialect = {
  name: 'pg-background',
  about: 'SQL in the background with the functions of pg_background',
  // Not pg_background: names that begin with pg_ are for Postgres alone.
  schema: 'background',
  directory: packagedDialect('pg-background'),
  publish: 'pg_background_publish',
}

/** The queue in which everything waits that is launched through it. */
export const backgroundQueue = 'pg_background'
