import type { auditEntry } from '../../../http/schemas/access.ts'
import type { Json, Read } from '../../model.ts'

/** One entry of the audit: what was done, and what it changed. */
export type AuditEntry = Read<typeof auditEntry>

/** One name whose value was changed. */
export interface Difference {
  readonly name: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** What differs between two objects, name by name; null if they are not objects. */
export function differences(before: Json, after: Json): readonly Difference[] | null {
  if (!isObject(before) || !isObject(after)) return null
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }))
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const pages: Readonly<Record<string, string>> = {
  task: '/tasks/',
  queue: '/queues/',
  group: '/groups/',
  schedule: '/schedules/',
  worker: '/workers/',
}

/** The page of what it was done to: `queue mail` is at /queues/mail. */
export function pathOfObject(object: string): string | null {
  const space = object.indexOf(' ')
  const page = pages[object.slice(0, space)]
  if (space === -1 || page === undefined || object === 'queue *') return null
  return page + encodeURIComponent(object.slice(space + 1))
}
