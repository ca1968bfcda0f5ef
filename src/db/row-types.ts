import pg from 'pg'
import { withNames } from './named-statements.ts'
import type { Queryable } from './queryable.ts'

const oid = { bigint: 20, timestamptz: 1184, interval: 1186 } as const

/**
 * Type parsers that applications may have replaced with `pg.types.setTypeParser`. For our rows they are fixed: an id is
 * a string and a time is a Date.
 */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [oid.bigint]: (text) => text,
  [oid.interval]: (text) => text,
  [oid.timestamptz]: parseTime,
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => parsers[id] ?? pg.types.getTypeParser(id, format as 'text'),
}

/** A pool or client whose rows are parsed our way, with a time limit for each answer unless that is 0. */
export function withTypeParsers(db: pg.Pool | pg.ClientBase, answerWithinMs = 0): Queryable {
  const limit = answerWithinMs === 0 ? {} : { query_timeout: answerWithinMs }
  return { query: (text, values = []) => db.query({ text, values, types, ...limit }) }
}

/** The same for a connection that runs only the engine's statements; see withNames(). */
export function withNamesAndParsers(client: pg.ClientBase, answerWithinMs = 0): Queryable {
  const limit = answerWithinMs === 0 ? {} : { query_timeout: answerWithinMs }
  return withNames(client, { types, ...limit })
}

/** Converts `2026-11-15 12:30:00.5+01` to ISO 8601, which requires a T and minutes in the offset. */
export function parseTime(text: string): Date {
  const iso = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? farTime(text) : time
}

/** The first and the last time that a Date can hold. */
const ends = { first: -8.64e15, last: 8.64e15 } as const
const spelling =
  /^(\d+)-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d(?:\.\d+)?)([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?( BC)?$/

/**
 * Times that ISO 8601 cannot express: infinity, years with more than four digits or before Christ, offsets with
 * seconds. A time out of range becomes the nearest valid Date, because printing an invalid Date throws.
 */
function farTime(text: string): Date {
  if (text === '-infinity') return new Date(ends.first)
  const found = spelling.exec(text)
  if (found === null) return new Date(ends.last)
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1, 7)
    .map(Number)
  const [east = 0, eastMinutes = 0, eastSeconds = 0] = found
    .slice(8, 11)
    .map((part) => Number(part ?? 0))
  const offsetMs =
    ((east * 60 + eastMinutes) * 60 + eastSeconds) * (found[7] === '-' ? -1_000 : 1_000)
  const midnight = new Date(0).setUTCFullYear(
    found[11] === undefined ? year : 1 - year,
    month - 1,
    day,
  )
  const ms = midnight + ((hours * 60 + minutes) * 60 + seconds) * 1_000 - offsetMs
  return new Date(Number.isNaN(ms) ? ends.last : Math.min(Math.trunc(ms), ends.last))
}
