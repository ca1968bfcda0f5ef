import type { Queryable } from '../db/queryable.ts'
import { call, callOne } from './call.ts'

/** The kind of an event; docs/reference/events.md says when each is recorded. */
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

/** An event of a task. */
export interface TaskEvent {
  /** Its position: pass it as `after` to read the events that follow. */
  readonly id: string
  readonly at: Date
  readonly event: EventName
  readonly task: string
  readonly queue: string
}

/** How far events are recorded for all queues. */
export interface Following {
  /** The position to start reading from. */
  readonly after: string
  /**
   * No event after this one is missing. If the last event you saw is older, you have missed some: read the tasks again.
   */
  readonly since: string
  /** Recording stops at this time, unless you call follow() again. */
  readonly until: Date
}

/** Where to start reading events, how many, and of which queue. */
export interface EventPage {
  /** The id of the last event that you have seen, or the `after` of follow(). */
  readonly after?: string | undefined
  readonly limit?: number | undefined
  readonly queue?: string | undefined
}

/** Follows events as they happen. */
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
