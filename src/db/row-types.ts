import pg from 'pg'
import type { Queryable } from './queryable.ts'

const oid = { bigint: 20, timestamptz: 1184, interval: 1186 } as const

/**
 * Parsers that applications like to replace for their own rows, pinned for ours: an id is a string
 * and a time is a Date, whatever `pg.types.setTypeParser` was told.
 */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [oid.bigint]: (text) => text,
  [oid.interval]: (text) => text,
  [oid.timestamptz]: parseTime,
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => parsers[id] ?? pg.types.getTypeParser(id, format as 'text'),
}

/** A pool or client whose rows are read our way. */
export function readingOurWay(db: pg.Pool | pg.ClientBase): Queryable {
  return { query: (text, values = []) => db.query({ text, values, types }) }
}

/** `2026-11-15 12:30:00.5+01` in ISO 8601, which wants a T and minutes in the offset. */
function parseTime(text: string): Date {
  const iso = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  return new Date(iso)
}
