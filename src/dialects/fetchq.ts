import { packagedDialect } from '../db/sql-source.ts'
import type { Dialect } from './dialect.ts'

export const fetchq: Dialect = {
  name: 'fetchq',
  about: 'document queues with the functions of Fetchq 4.0.2',
  schema: 'fetchq',
  directory: packagedDialect('fetchq'),
}
