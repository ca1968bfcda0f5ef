import type { Task, TaskState } from '../../engine/task.ts'
import { describeWaits, isNever, waitsSince } from '../../lib/waits.ts'
import type { Style } from '../process/io.ts'
import type { Column } from './screen.ts'
import { fromNow } from './spans.ts'

const styles: Readonly<Record<TaskState, Style>> = {
  waiting: 'dim',
  scheduled: 'dim',
  retrying: 'yellow',
  blocked: 'yellow',
  ready: 'bold',
  running: 'cyan',
  done: 'green',
  failed: 'red',
  cancelled: 'dim',
}

export function styleOf({ state }: Pick<Task, 'state'>): Style {
  return styles[state]
}

/** A list of tasks as people see it. */
export const taskColumns: readonly Column<Task>[] = [
  { name: 'id', of: ({ id }) => id, isNumber: true },
  { name: 'state', of: ({ state }) => state, style: styleOf, isWhole: true },
  { name: 'queue', of: ({ queue }) => queue },
  { name: 'what', of: whatOf },
  { name: 'attempt', of: attemptOf },
  { name: 'when', of: whenOf },
  { name: 'note', of: noteOf },
]

/** Of one that has ended it is not known how many it would have had. */
function attemptOf({ attempt, max_attempts }: Task): string {
  return max_attempts === null ? String(attempt) : `${attempt}/${max_attempts}`
}

/** Its handler, unless that is named like the queue; the text of SQL; the key, if it has one. */
function whatOf({ kind, handler, queue, payload, key }: Task): string {
  const sql = kind === 'sql' ? textAt(payload, 'sql', 'statement') : undefined
  const named = handler === null || handler === queue ? '' : handler
  const what = sql ?? (named || (kind === 'handler' ? '' : kind))
  return [what, key === null ? '' : `[${key}]`].filter(Boolean).join(' ')
}

/** The time that matters most where it stands. */
function whenOf(task: Task): string | null {
  const { state, finished_at, started_at, run_at, created_at } = task
  if (finished_at !== null) return fromNow(finished_at)
  if (state === 'running') return fromNow(started_at)
  if (state === 'waiting') return fromNow(isNever(run_at) ? waitsSince(task.waits) : run_at)
  return fromNow(state === 'scheduled' || state === 'retrying' ? run_at : created_at)
}

/** What is wrong with it, or what it waits for, or how far it has come. */
function noteOf({ error, waits_for, waits, state, progress, reason }: Task): string | null {
  const message = textAt(error, 'message')
  if (message !== undefined) return message
  if (waits_for !== null) return `waits for ${waits_for}`
  if (state === 'waiting') return describeWaits(waits)
  return progress === null ? reason : JSON.stringify(progress)
}

function textAt(value: unknown, ...names: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = names.map((name) => Reflect.get(value, name) as unknown)
  return found.find((text): text is string => typeof text === 'string')
}
