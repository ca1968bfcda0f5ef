import type { Json, NewTask } from '../engine/task.ts'
import type { Source, SourceJob } from './source.ts'

interface Job extends SourceJob {
  readonly task_identifier: string
  readonly queue_name: string | null
  readonly payload: string
  readonly priority: number
  readonly run_at: Date
  readonly attempts: number
  readonly max_attempts: number
  readonly key: string | null
  readonly flags: Readonly<Record<string, boolean>> | null
  readonly last_error: string | null
}

/** Jobs that no worker has: not locked, with attempts left, and not in a serial queue that a job runs of. */
const waiting = `jobs.is_available and coalesce(queues.is_available, true)`

const from = (schema: string) => `
  from ${schema}._private_jobs as jobs
  join ${schema}._private_tasks as tasks on tasks.id = jobs.task_id
  left join ${schema}._private_job_queues as queues on queues.id = jobs.job_queue_id`

/** graphile-worker keeps its crontab in a file or in code, so schedules come from `--crontab`. */
export const graphileWorker: Source<Job> = {
  name: 'graphile-worker',
  usualSchema: 'graphile_worker',
  jobTable: '_private_jobs',
  scheduleTable: null,
  jobId: 'id::text',
  scheduleId: `''`,
  columns: {
    migrations: ['id'],
    _private_tasks: ['id', 'identifier'],
    _private_job_queues: ['id', 'queue_name', 'is_available'],
    _private_jobs: [
      ...['id', 'job_queue_id', 'task_id', 'payload', 'priority', 'run_at', 'attempts'],
      ...['max_attempts', 'last_error', 'key', 'locked_at', 'flags', 'is_available'],
    ],
  },
  version: async (db, schema) => {
    const text = `select max(id)::integer as version from ${schema}.migrations`
    return (await db.query<{ version: number | null }>(text)).rows[0]?.version ?? null
  },
  versions: { from: 20, to: 20, ofPackage: 'graphile-worker 0.18' },
  selectJobs: (schema) => `
    select jobs.id::text as row_id, jobs.id::text as place, row_to_json(jobs)::text as job,
           tasks.identifier as task_identifier, queues.queue_name, jobs.payload::text as payload, jobs.priority::integer,
           jobs.run_at, jobs.attempts::integer, jobs.max_attempts::integer, jobs.key, jobs.flags, jobs.last_error
    ${from(schema)}
    where ${waiting} and jobs.id > coalesce($1::bigint, 0)
    order by jobs.id limit $2 for update of jobs skip locked`,
  toTask: ({ task_identifier: queue, ...job }): NewTask => ({
    queue,
    payloadJson: job.payload,
    // graphile-worker runs low numbers first, Tusk high ones.
    priority: -job.priority,
    runAt: job.run_at,
    maxAttempts: job.max_attempts - job.attempts,
    ...(job.key === null ? {} : { key: job.key, onDuplicate: 'keep', freesKey: true }),
    ...(job.queue_name === null ? {} : { groups: [job.queue_name], maxRunning: 1 }),
    ...(job.flags === null ? {} : { tags: Object.keys(job.flags) }),
    meta: { imported_from: 'graphile-worker', job: job.row_id, ...lastError(job.last_error) },
  }),
  countJobs: (schema) => `
    select tasks.identifier as queue, count(*)::integer as count
    ${from(schema)} where ${waiting} group by 1 order by 1`,
  countLeft: (schema) => `
    select case when jobs.attempts >= jobs.max_attempts then 'it has no attempts left'
                when jobs.locked_at is not null then 'it is running'
                else 'a job of its serial queue is running' end as reason, count(*)::integer as count
    ${from(schema)} where not (${waiting}) group by 1 order by 1`,
  readSchedules: () => Promise.resolve([]),
}

function lastError(error: string | null): Record<string, Json> {
  return error === null ? {} : { last_error: error }
}
