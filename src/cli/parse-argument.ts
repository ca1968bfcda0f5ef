import { InvalidArgumentError } from 'commander'
import type { Json } from '../engine/task.ts'

/** A day, which begins at midnight in UTC, or a time that says its offset. */
export function parseTime(text: string): Date {
  const time = new Date(text)
  const isExact = /^\d{4}-\d{2}-\d{2}([T ].*(Z|[+-]\d{2}:?\d{2}))?$/.test(text)
  if (isExact && !Number.isNaN(time.getTime())) return time
  throw new InvalidArgumentError('Write 2026-11-16, or with an offset 2026-11-16T09:00:00+01:00.')
}

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw notJson(error)
  }
}

function notJson(error: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`It is not JSON: ${(error as Error).message}.`)
}

export function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new InvalidArgumentError('It is a whole number from 1.')
}
