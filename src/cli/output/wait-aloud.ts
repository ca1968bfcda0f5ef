import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '../../client/tasks.ts'
import type { Tusk } from '../../client/tusk.ts'
import type { TaskEnd } from '../../client/waiting.ts'
import type { Screen } from './screen.ts'
import { exactly } from './spans.ts'
import { waitingLine } from './waiting-lines.ts'

/** How often a person who waits sees what changed. A task that ends sooner prints nothing. */
const lookEveryMs = 1_000

/**
 * Waits for the end of a task, and says meanwhile why it waits, which attempt failed, and when the next
 * one comes.
 */
export async function waitAloud(
  tusk: Tusk,
  id: string,
  timeout: number | undefined,
  screen: Screen,
): Promise<TaskEnd> {
  const over = new AbortController()
  const telling = tell(tusk, id, screen, over.signal)
  try {
    return await tusk.waitForEnd(id, timeout === undefined ? {} : { timeout })
  } finally {
    over.abort()
    await telling
  }
}

async function tell(tusk: Tusk, id: string, screen: Screen, signal: AbortSignal): Promise<void> {
  let said = ''
  while (!signal.aborted) {
    await pause(lookEveryMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    // What cannot be read is left out: the wait itself outlasts a restart of the database.
    const line = await lineOf(tusk, id).catch(() => null)
    if (line === null || line === said || signal.aborted) continue
    screen.say(line)
    said = line
  }
}

/** What there is to say now; null if nothing. */
async function lineOf(tusk: Tusk, id: string): Promise<string | null> {
  const task = await tusk.tasks.get(id)
  if (task === null || task.finishedAt !== null) return null
  const of = `attempt ${task.attempt} of ${task.maxAttempts ?? '?'}`
  if (task.state === 'running') return task.attempt > 1 ? `Task ${id} runs: ${of}.` : null
  if (task.state === 'retrying') return failedLine(tusk, task, of)
  const [reason] = await tusk.tasks.explain(id)
  if (reason === undefined || reason.code === 'next') return null
  return `Task ${id} waits: ${waitingLine(reason)}`
}

async function failedLine(tusk: Tusk, { id, runAt }: Task, of: string): Promise<string> {
  const error = (await tusk.tasks.attempts(id)).at(-1)?.error ?? null
  const isObject = typeof error === 'object' && error !== null && 'message' in error
  const why = isObject ? `: ${String(error['message'])}` : ''
  // Without "in 5 s", which would be another line with each look.
  return `Task ${id}: ${of} failed${why}. Next try at ${exactly(runAt)}.`
}
