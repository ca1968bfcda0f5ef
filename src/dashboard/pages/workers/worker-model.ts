import { api } from '../../api.ts'
import { confirm } from '../../components/confirm.tsx'
import { attempt } from '../../components/toast.tsx'
import { plural } from '../../lib/format.ts'
import type { Task, Worker } from '../../model.ts'

/** A worker, and the first hundred tasks that it holds. */
export type WorkerDetail = Worker & { readonly running: readonly Task[] }

/** Heartbeats come every few seconds; after this long one is worth a word. */
const lateSeconds = 30

type Tone = 'done' | 'blocked' | 'failed' | 'scheduled'

export function stateOf(
  worker: Worker,
  nowMs: number,
): { readonly text: string; readonly tone: Tone } {
  const silent = (nowMs - Date.parse(worker.beat_at)) / 1000
  if (silent > lateSeconds) return { text: 'silent', tone: 'failed' }
  if (worker.draining_at !== null) return { text: 'draining', tone: 'blocked' }
  if (worker.asleep && worker.tasks === 0) return { text: 'idle', tone: 'scheduled' }
  return { text: 'working', tone: 'done' }
}

export function workerPath(id: string, deed = ''): string {
  return `/workers/${encodeURIComponent(id)}${deed}`
}

/** Asks, with how many tasks it holds. */
export async function drain(worker: Pick<Worker, 'id' | 'host'>, held: number): Promise<boolean> {
  const isSure = await confirm({
    title: `Drain ${worker.id}?`,
    text: `It takes nothing more, ends the ${plural(held, 'task')} that it holds, and stops. Whatever started it may start it again.`,
    action: 'Drain the worker',
    danger: true,
  })
  return (
    isSure && attempt(() => api.post(workerPath(worker.id, '/drain')), `${worker.id} is draining.`)
  )
}
