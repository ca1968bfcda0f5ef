import type { Backoff } from '../engine/task.ts'
import { toInterval } from '../lib/duration.ts'

/** Converts a backoff to the form of the engine: durations as text. */
export function backoffInSql<T extends Backoff | null | undefined>(backoff: T): T {
  if (backoff === null || typeof backoff !== 'object') return backoff
  const times = ['base', 'cap'] as const
  const given = backoff as Partial<Record<'base' | 'cap', string | number>>
  if (times.every((name) => typeof given[name] !== 'number')) return backoff
  const texts = times.flatMap((name) =>
    given[name] === undefined ? [] : [[name, toInterval(`backoff.${name}`, given[name])]],
  )
  return { ...backoff, ...Object.fromEntries(texts) }
}
