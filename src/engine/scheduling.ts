import type { Queryable } from '../db/queryable.ts'
import type { SchedulePlan } from '../lib/schedule-words/describe-schedule.ts'
import { call, callOne, done } from './call.ts'
import type { NamePage } from './listing.ts'
import type { Occurrence, OccurrencePage, PlannedTime, Schedule } from './schedule.ts'
import type { Json } from './task.ts'

/** What apply_schedules() did to one schedule. `over` was stored, but all of its times have passed. */
export interface AppliedSchedule {
  readonly name: string
  readonly outcome: 'created' | 'changed' | 'kept' | 'over' | 'deleted'
}

/** How many tasks backfill() created. If the limit stopped it, `more_from` is where to go on. */
export interface Backfilled {
  readonly fired: number
  readonly more_from: Date | null
}

/** Manages schedules, which create tasks at planned times. */
export function scheduling(schema: string) {
  const tell = (db: Queryable, verb: string, name: string) =>
    done(call(db, `select ${schema}.${verb}($1)`, [name]))
  return {
    setSchedule: async (db: Queryable, name: string, settings: Json): Promise<Date | null> => {
      const text = `select ${schema}.set_schedule($1, $2) as next_at`
      const answer = callOne<{ next_at: Date | null }>(db, text, [name, JSON.stringify(settings)])
      return (await answer).next_at
    },
    applySchedules: (db: Queryable, schedules: Json, prune = false, mayBeOver = false) =>
      call<AppliedSchedule>(db, `select * from ${schema}.apply_schedules($1, $2, $3)`, [
        JSON.stringify(schedules),
        prune,
        mayBeOver,
      ]),
    deleteSchedule: (db: Queryable, name: string) => tell(db, 'delete_schedule', name),
    pauseSchedule: (db: Queryable, name: string) => tell(db, 'pause_schedule', name),
    resumeSchedule: (db: Queryable, name: string) => tell(db, 'resume_schedule', name),
    runSchedule: async (db: Queryable, name: string): Promise<string> =>
      (await callOne<{ id: string }>(db, `select ${schema}.run_schedule($1) as id`, [name])).id,
    backfill: (db: Queryable, name: string, from: Date, to: Date, limit?: number) =>
      callOne<Backfilled>(
        db,
        `select * from ${schema}.backfill($1, $2, $3${limit === undefined ? '' : ', $4'})`,
        limit === undefined ? [name, from, to] : [name, from, to, limit],
      ),
    previewSchedule: (db: Queryable, of: string | Json, count: number, from: Date | null = null) =>
      preview(db, schema, of, count, from),
    normalizeSchedule: (db: Queryable, settings: Json) =>
      callOne<SchedulePlan>(
        db,
        `select cron, every::text, at, zone, drift, anchor from ${schema}.normalize_schedule($1)`,
        [JSON.stringify(settings)],
      ),
    schedules: (db: Queryable, { after, limit }: NamePage = {}) =>
      call<Schedule>(
        db,
        `select ${columns} from ${schema}.schedule
         where $1::text is null or name > $1
         order by name
         limit $2`,
        [after ?? null, limit ?? null],
      ),
    schedule: async (db: Queryable, name: string): Promise<Schedule | null> => {
      const text = `select ${columns} from ${schema}.schedule where name = $1`
      return (await call<Schedule>(db, text, [name]))[0] ?? null
    },
    occurrences: (db: Queryable, name: string, page: OccurrencePage) =>
      occurrences(db, schema, name, page),
    fire: (db: Queryable, limit = 100) =>
      callOne<{ processed: number; next_in_ms: number | null }>(
        db,
        `select * from ${schema}.fire($1)`,
        [limit],
      ),
  }
}

/** Intervals as text, whatever style the connection has set for them. */
const columns = `
  name, state, zone, next_at, paused_at, pause_reason, last_planned_at, last_recorded_at, last_outcome, last_reason,
  last_fired_at, last_task, last_task_state, error, failures, cron, every::text, at, anchor, starts_at, ends_at,
  jitter::text, misfire, misfire_after::text, catch_up, overlap, drift, keep::text, revision, created_by,
  created_at, set_by, token, updated_at, task`

/** A name is looked up; settings are only evaluated. */
function preview(
  db: Queryable,
  schema: string,
  of: string | Json,
  count: number,
  from: Date | null,
): Promise<PlannedTime[]> {
  const [given, type] = typeof of === 'string' ? [of, 'text'] : [JSON.stringify(of), 'jsonb']
  const text = `select * from ${schema}.preview_schedule($1::${type}, $2, $3)`
  return call<PlannedTime>(db, text, [given, count, from])
}

/** The newest first. */
function occurrences(
  db: Queryable,
  schema: string,
  name: string,
  { before, outcome, limit = 100 }: OccurrencePage,
): Promise<Occurrence[]> {
  return call<Occurrence>(
    db,
    `select schedule, planned_at, outcome, reason, origin, task, run_at, recorded_at
     from ${schema}.occurrence
     where schedule = $1 and ($2::timestamptz is null or planned_at < $2) and ($3::text is null or outcome = $3)
     order by planned_at desc
     limit $4`,
    [name, before ?? null, outcome ?? null, limit],
  )
}
