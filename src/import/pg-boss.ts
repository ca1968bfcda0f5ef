import type { Backoff, Json, NewTask } from '../engine/task.ts'
import type { Source, SourceJob, SourceSchedule } from './source.ts'

interface Job extends SourceJob {
  readonly name: string
  readonly data: string
  readonly priority: number
  readonly start_after: Date
  readonly retry_limit: number
  readonly retry_count: number
  readonly retry_delay: number
  readonly retry_backoff: boolean
  readonly retry_delay_max: number | null
  readonly expire_seconds: number
  readonly deletion_seconds: number
  readonly deadline: Date | null
  readonly singleton_key: string | null
  readonly group_id: string | null
  readonly policy: string | null
  readonly dead_letter: string | null
}

interface Schedule {
  readonly name: string
  readonly key: string
  readonly kind: string
  readonly cron: string
  readonly timezone: string | null
  readonly data: Json
  readonly options: { readonly [name: string]: Json } | null
  readonly job: string
}

/** Jobs of a flow stay: those that wait for them would never learn that they ended. */
const waiting = `state < 'active' and not blocked and not blocking`

export const pgBoss: Source<Job> = {
  name: 'pg-boss',
  usualSchema: 'pgboss',
  jobTable: 'job',
  scheduleTable: 'schedule',
  jobId: `name || '/' || id`,
  scheduleId: `name || '/' || key`,
  columns: {
    version: ['version'],
    schedule: ['name', 'key', 'kind', 'cron', 'timezone', 'data', 'options'],
    job: [
      ...['id', 'name', 'priority', 'data', 'state', 'retry_limit', 'retry_count', 'retry_delay'],
      ...[
        'retry_backoff',
        'retry_delay_max',
        'expire_seconds',
        'deletion_seconds',
        'singleton_key',
      ],
      ...['group_id', 'start_after', 'created_on', 'keep_until', 'dead_letter', 'policy'],
      ...['blocked', 'blocking'],
    ],
  },
  version: async (db, schema) => {
    const text = `select max(version) as version from ${schema}.version`
    return (await db.query<{ version: number | null }>(text)).rows[0]?.version ?? null
  },
  versions: { from: 46, to: 46, ofPackage: 'pg-boss 12.38' },
  selectJobs: (schema) => `
    select name || '/' || id as row_id, json_build_array(created_on, name, id)::text as place,
           row_to_json(job)::text as job, name, coalesce(data, '{}')::text as data, priority, start_after,
           retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds,
           case when keep_until > greatest(start_after, now()) + interval '1 minute' then keep_until end as deadline,
           singleton_key, group_id, policy, dead_letter
    from ${schema}.job as job
    where ${waiting} and ($1::json is null or (created_on, name, id) > (
      ($1::json ->> 0)::timestamptz, $1::json ->> 1, ($1::json ->> 2)::uuid))
    order by created_on, name, id limit $2 for update skip locked`,
  toTask: (job): NewTask => ({
    queue: job.name,
    payloadJson: job.data,
    priority: job.priority,
    runAt: job.start_after,
    maxAttempts: Math.max(1, job.retry_limit - job.retry_count + 1),
    backoff: backoffOf(job),
    timeout: `${job.expire_seconds} seconds`,
    retention: `${job.deletion_seconds} seconds`,
    ...(job.deadline === null ? {} : { deadline: job.deadline }),
    ...uniqueness(job),
    meta: {
      imported_from: 'pg-boss',
      job: job.row_id,
      ...(job.dead_letter === null ? {} : { dead_letter: job.dead_letter }),
    },
  }),
  countJobs: (schema) => `
    select name as queue, count(*)::integer as count from ${schema}.job
    where ${waiting} group by 1 order by 1`,
  countLeft: (schema) => `
    select case when state = 'active' then 'it is running' else 'it is part of a flow' end as reason,
           count(*)::integer as count
    from ${schema}.job where state <= 'active' and not (${waiting}) group by 1 order by 1`,
  readSchedules: async (db, schema) => {
    const text = `
      select name, key, kind, cron, timezone, data, options, row_to_json(schedule)::text as job
      from ${schema}.schedule as schedule order by name, key for update`
    return (await db.query<Schedule>(text)).rows.map(toSchedule)
  },
}

/** What pg-boss lets be there once, by the policy of the queue. */
function uniqueness({ policy, name, singleton_key: key, group_id: group }: Job): Partial<NewTask> {
  const own = group === null ? [] : [group]
  const alone = { groups: [...own, `pg-boss ${name}/${key ?? ''}`], maxRunning: 1 }
  const once = { key: key ?? '-', onDuplicate: 'keep' } as const
  switch (policy) {
    case 'short':
      return { ...once, freesKey: true, groups: own }
    case 'exclusive':
      return { ...once, groups: own }
    case 'singleton':
    case 'key_strict_fifo':
      return alone
    // One waits and one runs.
    case 'stately':
      return { ...once, freesKey: true, ...alone }
    default:
      return { groups: own }
  }
}

type RetrySettings = Pick<Job, 'retry_delay' | 'retry_backoff' | 'retry_delay_max'>

function backoffOf(job: RetrySettings): Backoff {
  const { retry_delay: delay, retry_backoff: grows, retry_delay_max: cap } = job
  if (!grows) return delay === 0 ? { kind: 'none' } : { kind: 'fixed', base: `${delay} seconds` }
  const base = `${Math.max(1, delay)} seconds` as const
  return { kind: 'exponential', base, ...(cap === null ? {} : { cap: `${cap} seconds` as const }) }
}

function toSchedule(row: Schedule): SourceSchedule {
  const name = row.key === '' ? row.name : `${row.name}/${row.key}`
  const { priority, retryLimit, expireInSeconds } = row.options ?? {}
  const settings = {
    task: {
      queue: row.name,
      payload: row.data ?? {},
      ...(typeof priority === 'number' ? { priority } : {}),
      ...(typeof retryLimit === 'number' ? { max_attempts: retryLimit + 1 } : {}),
      ...(typeof expireInSeconds === 'number' ? { timeout: `${expireInSeconds} seconds` } : {}),
    },
    cron: row.cron,
    zone: row.timezone ?? 'UTC',
    // pg-boss forgets times at which no process of it ran.
    misfire: 'skip',
  }
  const row_ = { id: `${row.name}/${row.key}`, job: row.job }
  if (row.kind !== 'cron') return { name, row: row_, settings: `it is planned by ${row.kind}` }
  return { name, row: row_, settings }
}
