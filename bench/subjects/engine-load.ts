import type { Client } from 'pg'
import type { Background } from './subject.ts'

/** Writes rows as the verbs would have written them, a million in seconds. */
export async function loadEngine(db: Client, background: Background): Promise<void> {
  if (background.kind === 'finished') return loadFinished(db, background)
  await db.query(
    `insert into tasks (created_at, run_at, priority, queue, handler, submitted_by, groups, payload)
     select now(), now() + n * interval '1 microsecond' + $1::interval, $2, $3, $3, current_user,
            $4::text[], jsonb_build_object('n', n)
     from generate_series(1, $5) as n`,
    [
      background.kind === 'future' ? '1 day' : '-10 minutes',
      background.priority ?? 0,
      background.queue,
      background.group === undefined ? null : [background.group],
      background.count,
    ],
  )
  await db.query('insert into lanes (queue, priority) values ($1, $2)', [
    background.queue,
    background.priority ?? 0,
  ])
}

async function loadFinished(db: Client, { queue, count }: Background): Promise<void> {
  await db.query(
    `insert into finished (
       id, created_at, run_at, started_at, finished_at, keep_until, iteration, priority, version, attempt,
       state, kind, queue, handler, submitted_by, worker, payload)
     select nextval('task_ids'), now(), now(), now(), now(), now() + interval '7 days', 0, 0, 1, 1,
            'done', 'handler', $1, $1, current_user, 'bench', jsonb_build_object('n', n)
     from generate_series(1, $2) as n`,
    [queue, count],
  )
}
