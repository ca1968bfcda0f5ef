import type { z } from '@hono/zod-openapi'
import type { Task } from '../../engine/task.ts'
import { etagOf } from '../requests/etag.ts'
import type { Sendable } from '../routing/call.ts'
import { type task as schema, task as taskSchema } from '../schemas/task.ts'
import { paperStateOf } from './paper-state.ts'

/** Only where they are asked for. */
const added = ['paper_state', 'waiting']
const names = Object.keys(taskSchema.shape).filter((name) => !added.includes(name))

/** A task as it is answered: what is declared, and nothing that a view may gain one day. */
export function toWire(
  task: Task,
  states?: 'task-server' | 'paper',
): Sendable<z.input<typeof schema>> {
  const row = task as unknown as Readonly<Record<string, unknown>>
  const shown = Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  const paper = states !== undefined ? { paper_state: paperStateOf(task) } : {}
  return { ...shown, ...paper } as Sendable<z.input<typeof schema>>
}

/** Changes with everything that an edit could be about; not with leases and progress. */
export function etagOfTask(task: Task): string {
  const {
    progress: _,
    lease_expires_at: __,
    waits_for: ___,
    waits: ____,
    worker: _____,
    ...rest
  } = task
  // Due or not, blocked or not: time and others change that, and no edit depends on it.
  const isLive = task.finished_at === null
  return etagOf({ ...rest, state: isLive ? task.claim !== null : task.state })
}
