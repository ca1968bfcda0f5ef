import type { Queryable } from '../../src/db/queryable.ts'

/** The times that move with a task, by table; `own` finds the rows of one task. */
const timesOfTasks = [
  { table: 'tasks', own: 'id = $2', times: ['created_at', 'run_at', 'started_at', 'deadline'] },
  { table: 'claims', own: '$2 = any (tasks)', times: ['claimed_at', 'expires_at'] },
  { table: 'keys', own: 'task = $2', times: ['until'] },
  { table: 'attempts', own: 'task = $2', times: ['started_at', 'ended_at'] },
  { table: 'logs', own: 'task = $2', times: ['at'] },
  { table: 'waiters', own: 'task = $2', times: ['until'] },
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
  { table: 'queues', times: ['paused_at'] },
  { table: 'events', times: ['at'] },
  { table: 'deltas', times: ['at'] },
] as const

/**
 * Makes rows older by `time`, as if it had passed: those of one task, or all. Tests of what happens
 * later need not wait for it.
 */
export async function passTime(
  db: Queryable,
  schema: string,
  time: string,
  id?: string,
): Promise<void> {
  for (const { table, times, own } of timesOfTasks) {
    const moved = times.map((column) => `${column} = ${column} - $1::interval`)
    if (table === 'groups') {
      moved.push('start_times = array(select past - $1::interval from unnest(start_times) as past)')
    }
    const statement = `update :s.${table} set ${moved.join(', ')}`
    if (id === undefined) await db.query(statement.replaceAll(':s', schema), [time])
    else await db.query(`${statement} where ${own}`.replaceAll(':s', schema), [time, id])
  }
  if (id !== undefined) return
  for (const { table, times } of otherTimes) {
    const moved = times.map((column) => `${column} = ${column} - $1::interval`)
    await db.query(`update ${schema}.${table} set ${moved.join(', ')}`, [time])
  }
  await db.query(
    `update ${schema}.counters set minute = minute - date_trunc('minute', $1::interval)`,
    [time],
  )
}
