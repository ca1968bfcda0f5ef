import type { TaskEnd } from '../../client/waiting.ts'
import { Exit, exitCode } from '../process/exit-code.ts'
import { give, sayError } from '../process/io.ts'
import { jsonLines } from './json-lines.ts'
import type { Screen } from './screen.ts'

/** Prints what became of a task: its output, as JSON; and ends with 5 unless it is done. */
export function printEnd(screen: Screen, id: string, end: TaskEnd): void {
  if (screen.isForPeople) {
    if (end.state === 'done') for (const line of jsonLines(end.output)) give(screen.io, line)
    else sayError(screen.io, new Error(`task ${id} ${describedEnd(end)}`))
  } else screen.one({ id, ...end }, [])
  if (end.state !== 'done') throw new Exit(exitCode.taskFailed)
}

function describedEnd({ state, reason, error }: TaskEnd): string {
  if (state === 'cancelled') return 'was cancelled'
  const isObject = typeof error === 'object' && error !== null && 'message' in error
  return `failed (${reason})${isObject ? `: ${String(error['message'])}` : ''}`
}
