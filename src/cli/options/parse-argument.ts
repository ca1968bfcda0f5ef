import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import type { Json } from '../../engine/task.ts'
import { findJsonFault } from '../../lib/json-fault.ts'
import { parseExactTime } from '../../lib/parse-exact-time.ts'

/** A day, which begins at midnight in UTC, or a time that says its offset. */
export function parseTime(text: string): Date {
  const time = parseExactTime(text)
  if (time !== null) return new Date(time)
  throw new InvalidArgumentError('Write 2026-11-16, or with an offset 2026-11-16T09:00:00+01:00.')
}

/** A JSON value that was given; Commander takes a bare null from a parser for no value at all. */
export interface GivenJson {
  readonly json: Json
}

/** JSON, or `@file` with JSON in it; `@-` is what comes in. */
export function parseJson(text: string): GivenJson {
  const given = text.startsWith('@') ? readText(text.slice(1)) : text
  try {
    return { json: readJson(given) as Json }
  } catch (error) {
    throw invalid('It is not JSON', error)
  }
}

/** The value of a JSON text. Refuses what would be stored as something else than is written there. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const fault = findJsonFault(text)
  if (fault === undefined) return value
  throw new Error(`${fault.what} at character ${fault.at + 1}`)
}

function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw invalid('It cannot be read', error)
  }
}

function invalid(what: string, error: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${what}: ${(error as Error).message}.`)
}

/** Reads a whole number from 1 to `most`. */
export function countUpTo(most: number): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (Number.isInteger(count) && count > 0 && count <= most) return count
    throw new InvalidArgumentError(`It is a whole number from 1 to ${most}.`)
  }
}

/** As far as an integer of Postgres goes. */
export const parseCount = countUpTo(2_147_483_647)

/** A number that may be negative, such as a priority. */
export function parseWhole(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && text.trim() !== '') return number
  throw new InvalidArgumentError('It is a whole number.')
}

export function parseId(text: string): string {
  if (/^\d{1,18}$/.test(text)) return text
  throw new InvalidArgumentError('An id is a whole number.')
}

/** A place in a stream; 0 is its beginning. */
export function parsePlace(text: string): string {
  if (/^\d{1,18}$/.test(text)) return text
  throw new InvalidArgumentError('A place is a whole number from 0 on.')
}

export function parseIds(text: string, before: readonly string[] = []): string[] {
  return [...before, parseId(text)]
}

/** For an option that may be given more than once. */
export function collectValues(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

const spanMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** `50s`, `5m`, `1.5h`: in milliseconds. */
export function parseSpan(text: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h)$/.exec(text.trim()) ?? []
  const ms = Number(count) * (spanMs[unit] ?? Number.NaN)
  if (ms > 0 && ms <= 86_400_000) return ms
  throw new InvalidArgumentError('Write a span of up to a day, such as 50s or 5m.')
}
