import type { database } from '../../../http/schemas/database.ts'
import type { Read } from '../../model.ts'

/** What there is to know of the database, at one glance. */
export type DatabaseReport = Read<typeof database>

export type LockWait = DatabaseReport['locks']['waiting'][number]
export type OpenTransaction = DatabaseReport['transactions'][number]
export type TableReport = DatabaseReport['relations']['tables'][number]
export type IndexReport = DatabaseReport['relations']['indexes'][number]
export type Migration = DatabaseReport['migrations'][number]
export type Finding = DatabaseReport['warnings'][number]
