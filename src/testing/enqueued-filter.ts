import { isDeepStrictEqual } from 'node:util'
import type { Task } from '../client/tasks.ts'
import type { KnownOptions } from '../lib/require-known.ts'
import type { InputOf, TaskName, Tasks } from '../tasks/task-list.ts'

/** Some of the properties of a value, at any depth. */
export type PartOf<T> = T extends object ? { readonly [Name in keyof T]?: PartOf<T[Name]> } : T

interface Whereabouts {
  readonly queue?: string | undefined
  readonly key?: string | undefined
  /** One of its tags. */
  readonly tag?: string | undefined
  /** One of its groups. */
  readonly group?: string | undefined
  readonly priority?: number | undefined
}

/**
 * Which tasks are meant: those that match everything given. A payload matches if it has at least the
 * properties that are given, at any depth; lists must be equal in length.
 *
 * @example
 * ```ts
 * await test.enqueued({ name: 'send_mail', payload: { to: 'ada' } })
 * ```
 */
export type EnqueuedFilter<T extends Tasks = readonly []> =
  | {
      [Name in TaskName<T>]: Whereabouts & {
        readonly name: Name
        readonly payload?: PartOf<InputOf<T, Name>>
      }
    }[TaskName<T>]
  | (Whereabouts & { readonly name?: undefined; readonly payload?: unknown })

/** Any filter, whatever its tasks. */
export type AnyFilter = Whereabouts & {
  readonly name?: string | undefined
  readonly payload?: unknown
}

export const filterOptions: KnownOptions<AnyFilter> = {
  name: true,
  payload: true,
  queue: true,
  key: true,
  tag: true,
  group: true,
  priority: true,
}

export function isMatch(task: Task, { name, payload, priority }: AnyFilter): boolean {
  if (name !== undefined && task.handler !== name) return false
  if (priority !== undefined && task.priority !== priority) return false
  return payload === undefined || isPart(JSON.parse(JSON.stringify(payload)), task.payload)
}

/** Both as JSON gives them back. */
function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return isDeepStrictEqual(part, whole)
  if (typeof whole !== 'object' || whole === null) return false
  if (Array.isArray(part)) {
    if (!Array.isArray(whole) || part.length !== whole.length) return false
    return part.every((element, at) => isPart(element, whole[at]))
  }
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(whole, name) && isPart(value, Reflect.get(whole, name)),
  )
}
