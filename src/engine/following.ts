import type { Queryable } from '../db/queryable.ts'
import { call, callOne } from './call.ts'

/** What happened to a task; docs/reference/events.md says when each is recorded. */
export type EventName =
  | 'enqueue'
  | 'claim'
  | 'progress'
  | 'log'
  | 'requeue'
  | 'complete'
  | 'fail'
  | 'cancel'
  | 'retry'
  | 'move'
  | 'amend'
  | 'delete'
  | 'wait'
  | 'wake'
  | 'signal'
  | 'write'

/** Something that happened to a task. */
export interface TaskEvent {
  /** Its place: what to give as `after` to go on behind it. */
  readonly id: string
  readonly at: Date
  readonly event: EventName
  readonly task: string
  readonly queue: string
}

/** How far events are recorded for all queues. */
export interface Following {
  /** Where to begin to read. */
  readonly after: string
  /** From here on nothing is missing; whoever saw an event before it has to look anew. */
  readonly since: string
  /** Until then, unless follow() is called again. */
  readonly until: Date
}

/** Where to begin to read events, how many, and of which queue. */
export interface EventPage {
  /** The id of the last event that was seen, or the `after` of follow(). */
  readonly after?: string | undefined
  readonly limit?: number | undefined
  readonly queue?: string | undefined
}

/** Looking on while things happen. */
export function following(schema: string) {
  return {
    follow: (db: Queryable, time = '1 minute') =>
      callOne<Following>(db, `select * from ${schema}.follow($1)`, [time]),
    events: (db: Queryable, { after = '0', limit = 1_000, queue }: EventPage = {}) =>
      call<TaskEvent>(db, `select * from ${schema}.read_events($1, $2, $3)`, [
        after,
        limit,
        queue ?? null,
      ]),
  }
}
