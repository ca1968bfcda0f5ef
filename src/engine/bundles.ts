import type { NewTask } from './task.ts'

/** Tasks that differ only in their payload, as enqueue_many() takes them with p_sizes. */
export interface Bundle {
  readonly task: NewTask
  readonly size: number
  /** The payload as JSON; for several tasks an array with the payload of each. */
  readonly payload: string
}

/** The most tasks that the engine puts into one row. It splits a larger bundle. */
const mostTasks = 32
const mostBytes = 1_800
/** Payloads from this size on are not bundled: the engine stores each in a row of its own. */
const largePayload = 900

/**
 * Groups consecutive tasks that differ only in their payload, so that the engine stores each group as one row.
 * Undefined if that would not reduce the number of rows much.
 */
export function toBundles(
  tasks: readonly NewTask[],
  payloadOf: (task: NewTask) => string | null,
): Bundle[] | undefined {
  const payloads = tasks.map(payloadOf)
  const bundles: Bundle[] = []
  for (let from = 0; from < tasks.length; ) {
    const size = countAlike(tasks, payloads, from)
    const [first = null] = payloads.slice(from, from + 1)
    if (first === null || bundles.length + 1 > tasks.length / 2) return undefined
    const payload = size === 1 ? first : `[${payloads.slice(from, from + size).join(',')}]`
    bundles.push({ task: tasks[from] as NewTask, size, payload })
    from += size
  }
  return bundles
}

/** How many tasks, from this one on, go into one bundle. */
function countAlike(
  tasks: readonly NewTask[],
  payloads: readonly (string | null)[],
  from: number,
): number {
  const first = tasks[from] as NewTask
  if (!isPlain(first)) return 1
  const most = Math.min(from + mostTasks, tasks.length)
  let bytes = mostBytesOf(payloads[from])
  let to = from + 1
  for (; to < most && areAlike(first, tasks[to] as NewTask); to++) {
    bytes += mostBytesOf(payloads[to])
    if (bytes > mostBytes) break
  }
  return to - from
}

/**
 * An upper estimate of the size of a payload as jsonb: each value has a header of 4 bytes, a number up to 10 bytes
 * beyond its digits.
 */
function mostBytesOf(payload: string | null | undefined): number {
  if (payload === null || payload === undefined || payload.length > largePayload) return mostBytes
  let bytes = payload.length + 12
  for (let at = 0; at < payload.length; at++) {
    const code = payload.charCodeAt(at)
    if (code === comma) bytes += 10
    else if (code > lastAscii) bytes += 2
  }
  return bytes
}

const comma = 44
const lastAscii = 127

/** Whether a task may share a row with others. sql/core/bundles.sql makes the final decision. */
function isPlain({ kind, key, groups, deadline, freesKey, after }: NewTask): boolean {
  return (
    (kind === undefined || kind === 'handler') &&
    (key ?? groups ?? deadline ?? freesKey ?? after ?? undefined) === undefined
  )
}

/** Compares each property by name, because this runs once per task. */
function areAlike(one: NewTask, other: NewTask): boolean {
  return (
    one.queue === other.queue &&
    one.handler === other.handler &&
    one.kind === other.kind &&
    one.priority === other.priority &&
    one.runAt?.getTime() === other.runAt?.getTime() &&
    one.delay === other.delay &&
    one.key === other.key &&
    one.onDuplicate === other.onDuplicate &&
    one.window === other.window &&
    one.freesKey === other.freesKey &&
    one.groups === other.groups &&
    one.maxRunning === other.maxRunning &&
    one.tags === other.tags &&
    one.version === other.version &&
    one.maxAttempts === other.maxAttempts &&
    one.backoff === other.backoff &&
    one.timeout === other.timeout &&
    one.deadline === other.deadline &&
    one.retention === other.retention &&
    one.parent === other.parent &&
    one.meta === other.meta &&
    one.after === other.after &&
    one.afterFailure === other.afterFailure
  )
}
