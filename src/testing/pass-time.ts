import type { Queryable } from '../db/queryable.ts'

/** The times that move with a task, by table; `own` finds the rows of one task. */
const timesOfTasks = [
  { table: 'tasks', own: 'id = $2', times: ['created_at', 'run_at', 'started_at', 'deadline'] },
  { table: 'claims', own: '$2 = any (tasks)', times: ['claimed_at', 'expires_at'] },
  { table: 'keys', own: 'task = $2', times: ['until'] },
  { table: 'attempts', own: 'task = $2', times: ['started_at', 'ended_at'] },
  { table: 'logs', own: 'task = $2', times: ['at'] },
  { table: 'waiters', own: 'task = $2', times: ['until'] },
  { table: 'steps', own: 'task = $2', times: ['until', 'started_at', 'finished_at'] },
  { table: 'signals', own: 'task = $2', times: ['sent_at', 'keep_until'] },
  { table: 'chunks', own: 'task = $2', times: ['at'] },
  {
    table: 'finished',
    own: 'id = $2',
    times: ['created_at', 'run_at', 'started_at', 'finished_at', 'keep_until', 'deadline'],
  },
  {
    table: 'groups',
    own: 'name = any (select unnest(groups) from :s.tasks where id = $2)',
    times: ['paused_at', 'next_start_at', 'used_at'],
  },
] as const

/** The times that belong to no task. */
const otherTimes = [
  { table: 'workers', times: ['started_at', 'beat_at', 'draining_at'] },
  { table: 'sleepers', times: ['until'] },
  { table: 'queues', times: ['paused_at', 'followed_until'] },
  { table: 'events', times: ['at'] },
  { table: 'deltas', times: ['at'] },
  { table: 'failures', times: ['at'] },
  { table: 'error_groups', times: ['first_at', 'last_at'] },
  { table: 'tokens', times: ['created_at', 'expires_at', 'revoked_at', 'last_used_at'] },
  { table: 'requests', times: ['created_at', 'expires_at'] },
  { table: 'operations', times: ['created_at', 'advanced_at', 'ended_at'] },
  {
    table: 'schedules',
    times: [
      'next_at',
      'look_at',
      'anchor',
      'at',
      'starts_at',
      'ends_at',
      'paused_at',
      'missed_until',
      'swept_until',
      'fired_at',
    ],
  },
] as const

/** Deleted and put back, in order: moved in place, two of a queue could meet on the way. By whole widths. */
const countersMoved = `
  with gone as (delete from :s.counters returning *)
  insert into :s.counters
  select moved.*
  from (select * from gone order by at) as gone,
    jsonb_populate_record(null:::s.counters, to_jsonb(gone) || jsonb_build_object(
      'at', gone.at - make_interval(secs => gone.width * floor(extract(epoch from $1::interval) / gone.width)::integer))) as moved`

/** Likewise, by whole hours. */
const errorCountsMoved = `
  with gone as (delete from :s.error_counts returning *)
  insert into :s.error_counts
  select fingerprint, queue, hour - date_trunc('hour', $1::interval), n from gone`

/** The times of attempts that are not folded yet. */
const attemptsMoved = `
  update :s.deltas
  set due_ats     = array(select past - $1::interval from unnest(due_ats) as past),
      started_ats = array(select past - $1::interval from unnest(started_ats) as past)
  where due_ats is not null`

/** The time of a task that waits for others, which is kept beside it. */
const waitsMoved = `waits = case when waits #> '{after,run_at}' is null then waits else jsonb_set(
  waits, '{after,run_at}', to_jsonb((waits #>> '{after,run_at}')::timestamptz - $1::interval)) end`

/** Likewise: two occurrences of a schedule could meet. */
const occurrencesMoved = `
  with gone as (delete from :s.occurrences returning *)
  insert into :s.occurrences
  select moved.*
  from (select * from gone order by planned_at) as gone,
    jsonb_populate_record(null:::s.occurrences, to_jsonb(gone) || jsonb_build_object(
      'planned_at', gone.planned_at - $1::interval, 'recorded_at', gone.recorded_at - $1::interval,
      'run_at', gone.run_at - $1::interval)) as moved`

/**
 * Makes rows older by `time`, as if it had passed: those of one task, or all. Tests of what happens
 * later need not wait for it. The schema is an identifier, quoted if need be.
 */
export async function passTime(
  db: Queryable,
  schema: string,
  time: string,
  id?: string,
): Promise<void> {
  for (const { table, times, own } of timesOfTasks) {
    const moved = movedTimes(times)
    if (table === 'groups') {
      moved.push('start_times = array(select past - $1::interval from unnest(start_times) as past)')
    }
    if (table === 'tasks') moved.push(waitsMoved)
    const statement = `update :s.${table} set ${moved.join(', ')}`
    if (id === undefined) await db.query(statement.replaceAll(':s', schema), [time])
    else await db.query(`${statement} where ${own}`.replaceAll(':s', schema), [time, id])
  }
  if (id !== undefined) return
  for (const { table, times } of otherTimes) {
    await db.query(`update ${schema}.${table} set ${movedTimes(times).join(', ')}`, [time])
  }
  for (const moved of [countersMoved, errorCountsMoved, attemptsMoved, occurrencesMoved]) {
    await db.query(moved.replaceAll(':s', schema), [time])
  }
}

function movedTimes(times: readonly string[]): string[] {
  return times.map((column) => `${column} = ${column} - $1::interval`)
}
