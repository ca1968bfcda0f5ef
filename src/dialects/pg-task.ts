import { packagedDialect } from '../db/sql-source.ts'
import type { Dialect } from './dialect.ts'

export const pgTask: Dialect = {
  name: 'pg-task',
  about: 'SQL tasks in a table `task`, as pg_task has it',
  schema: 'pgtask',
  directory: packagedDialect('pg-task'),
}
