import type { Step } from '../../engine/durable.ts'
import type { Json } from '../../engine/task.ts'
import { isNever } from '../../lib/waits.ts'
import type { Style } from '../process/io.ts'
import type { Column, Screen } from './screen.ts'
import { exactly, fromNow, spanBetween } from './spans.ts'

const styles: Readonly<Record<Step['state'], Style>> = {
  open: 'cyan',
  retrying: 'yellow',
  done: 'green',
  failed: 'red',
}

/** The steps of a durable task, in their order. */
export function stepLines(steps: readonly Step[], screen: Screen): string[] {
  if (steps.length === 0) return []
  return ['', screen.paint('bold', 'steps'), ...screen.tableOf(steps, columns)]
}

const columns: readonly Column<Step>[] = [
  { name: 'step', of: ({ name }) => name },
  { name: 'kind', of: ({ kind }) => kind },
  { name: 'state', of: ({ state }) => state, style: ({ state }) => styles[state], isWhole: true },
  { name: 'attempt', of: ({ attempt }) => attempt, isNumber: true },
  { name: 'took', of: ({ started_at, finished_at }) => spanBetween(started_at, finished_at) },
  { name: 'ended', of: ({ finished_at }) => exactly(finished_at) },
  { name: 'note', of: noteOf },
]

/** What went wrong, which task it started, or how long it waits. */
function noteOf({ error, child, until, state, kind, signal }: Step): string | null {
  if (error !== null) return errorMessage(error)
  if (child !== null) return `task ${child}`
  const isTimed = until !== null && !isNever(until)
  if (state === 'open') return !isTimed ? null : `until ${exactly(until)} (${fromNow(until)})`
  return kind === 'signal' && signal === null ? 'timed out' : null
}

/** What an error says, in a cell. */
export function errorMessage(error: NonNullable<Json>): string {
  const isObject = typeof error === 'object' && 'message' in error
  return isObject ? String(error['message']) : JSON.stringify(error)
}
