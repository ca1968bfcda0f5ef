import type { Client } from 'pg'

const queues = [
  'billing',
  'cleanup',
  'exports',
  'images',
  'imports',
  'invoices',
  'mail',
  'reports',
  'search',
  'webhooks',
]

/** Every n-th task of a kind. */
const every = { failed: 20, cancelled: 100, later: 3, retrying: 40, parked: 50, keyed: 10 }

/** The message of the n-th failure. The error group ignores the numbers in it. */
const failure = `
  case n % 4
    when 0 then jsonb_build_object('code', '23505', 'message',
      format('duplicate key value violates unique constraint "orders_%s_key"', n % 7))
    when 1 then jsonb_build_object('message', format('timeout of %s ms exceeded', n % 5000))
    when 2 then jsonb_build_object('code', '57014', 'message', 'canceling statement due to statement timeout')
    else jsonb_build_object('message', format('503 Service Unavailable from host-%s', n % 9))
  end`

/**
 * A week of history and a long queue, as the verbs would have written them: this many
 * finished and waiting tasks in ten queues; failures with errors, groups, keys, schedules.
 */
export async function loadBigData(db: Client, count: number): Promise<void> {
  await db.query(`select setval('task_ids', 1)`)
  await makeDays(db)
  await loadFinished(db, count)
  await loadWaiting(db, count)
  await loadSettings(db)
  await loadCounters(db)
  await loadErrors(db)
  await loadSchedules(db)
  const { rows } = await db.query<{ name: string }>(
    'select quote_ident(relname) as name from pg_stat_user_tables where schemaname = current_schema()',
  )
  await db.query(`vacuum (analyze) ${rows.map(({ name }) => name).join(', ')}`)
}

/** The partitions of past days, which the engine would have created on the days before them. */
async function makeDays(db: Client): Promise<void> {
  await db.query(`
    do $$
    declare
      v_day date;
    begin
      for i in 0..8 loop
        v_day := (now() at time zone 'UTC')::date - i;
        execute format('create table if not exists %I partition of finished for values from (%L) to (%L)',
                       'finished_' || to_char(v_day, 'YYYYMMDD'),
                       v_day::timestamp at time zone 'UTC', (v_day + 1)::timestamp at time zone 'UTC');
      end loop;
    end $$`)
}

async function loadFinished(db: Client, count: number): Promise<void> {
  await db.query(
    `insert into finished (
       id, created_at, run_at, started_at, finished_at, keep_until, iteration, priority, version, attempt,
       max_attempts, state, reason, kind, queue, key, handler, submitted_by, worker, groups, tags, payload, output, error)
     select nextval('task_ids'), at - interval '3 seconds', at - interval '2 seconds', at - interval '1 second', at,
            at + interval '8 days', 0, 0, 1, 1, 5, state, case state when 'failed' then 'error' when 'cancelled' then 'aborted' end,
            'handler', queue, case when n % ${every.keyed} = 0 then 'order-' || n end, 'do_' || queue, 'shop',
            'worker-' || n % 8, array['customer-' || n % 100], array['batch-' || n % 20],
            jsonb_build_object('n', n, 'to', 'person' || n || '@example.org', 'about', repeat('text ', 20)),
            case when state = 'done' then jsonb_build_object('ok', true) end,
            case when state = 'failed' then ${failure} end
     from (
       select n, now() - ($2 - n) * interval '7 days' / $2 as at, ($1::text[])[1 + n % 10] as queue,
              case when n % ${every.failed} = 0 then 'failed' when n % ${every.cancelled} = 1 then 'cancelled' else 'done' end as state
       from generate_series(1, $2::integer) as n
     ) as planned`,
    [queues, count],
  )
  await db.query(
    `insert into attempts (task, iteration, attempt, started_at, ended_at, worker, reason, error)
     select id, 0, 1, started_at, finished_at, worker, 'error', error from finished where state = 'failed'`,
  )
}

/** Two thirds are due, a third is due later. Some have failed attempts, some wait for a full group. */
async function loadWaiting(db: Client, count: number): Promise<void> {
  await db.query(
    `insert into tasks (
       created_at, run_at, attempt, priority, queue, parked_on, key, handler, submitted_by, groups, tags, payload)
     select now() - interval '1 hour',
            now() + case when n % ${every.later} = 0 or n % ${every.retrying} = 1 then n * interval '7 days' / $2
                    else (n - $2) * interval '1 hour' / $2 end,
            case when n % ${every.retrying} = 1 then 2 else 0 end, n % 3, ($1::text[])[1 + n % 10],
            case when n % ${every.parked} = 2 then 'customer-1' end, case when n % ${every.keyed} = 0 then 'later-' || n end,
            'do_' || ($1::text[])[1 + n % 10], 'shop',
            case when n % ${every.parked} = 2 then array['customer-1'] else array['customer-' || 2 + n % 98] end,
            array['batch-' || n % 20],
            jsonb_build_object('n', n, 'to', 'person' || n || '@example.org', 'about', repeat('text ', 20))
     from generate_series(1, $2::integer) as n`,
    [queues, count],
  )
  await db.query(
    `insert into lanes (queue, priority) select queue, priority from unnest($1::text[]) as queue, generate_series(0, 2) as priority`,
    [queues],
  )
  await db.query(
    `insert into keys (queue, key, task) select queue, key, id from tasks where key is not null`,
  )
}

async function loadSettings(db: Client): Promise<void> {
  await db.query(
    `select set_group('customer-' || n, jsonb_build_object('max_running', 1 + n)) from generate_series(1, 100) as n`,
  )
  await db.query(`update groups set running = max_running where name = 'customer-1'`)
  await db.query(
    `select set_queue('mail', '{"max_running": 50}'), set_queue('cleanup', '{}'), pause('cleanup')`,
  )
}

/** The counters of these tasks, for each minute of a day and each ten minutes of a week, as roll_up would have written them. */
async function loadCounters(db: Client): Promise<void> {
  await db.query(
    `insert into deltas (at, queue, enqueued, claimed, done, failed, cancelled, due_ats, started_ats)
     select at, queue, n, n, done, failed, cancelled,
            array[at - (1 + n % 7) * interval '300 ms', at - interval '1 second'],
            array[at - (1 + n % 7) * interval '100 ms', at - interval '200 ms']
     from (
       select date_bin(case when finished_at > now() - interval '1 day' then interval '1 minute' else interval '10 minutes' end,
                       finished_at, 'epoch') as at,
              queue, count(*) as n, count(*) filter (where state = 'done') as done,
              count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'cancelled') as cancelled
       from finished
       group by 1, 2
     ) as counted`,
  )
  await db.query(
    `insert into deltas (at, queue, enqueued) select now() - interval '1 hour', queue, count(*) from tasks group by queue`,
  )
  await foldAll(db)
}

async function loadErrors(db: Client): Promise<void> {
  await db.query(
    `insert into failures (at, queue, task, reason, code, message)
     select finished_at, queue, id, 'error', error ->> 'code', error ->> 'message' from finished where state = 'failed'`,
  )
  await foldAll(db)
}

async function foldAll(db: Client): Promise<void> {
  const text = 'select roll_up(20000) as folded'
  while (((await db.query<{ folded: number }>(text)).rows[0]?.folded ?? 0) > 0);
}

/** A hundred schedules, each with the occurrences of a day. */
async function loadSchedules(db: Client): Promise<void> {
  await db.query(
    `select set_schedule('plan ' || n, jsonb_build_object(
       'task', jsonb_build_object('queue', ($1::text[])[1 + n % 10], 'payload', jsonb_build_object('n', n)),
       'cron', format('%s * * * *', n % 60), 'zone', 'Europe/Berlin'))
     from generate_series(1, 100) as n`,
    [queues],
  )
  await db.query(
    `insert into occurrences (schedule, planned_at, recorded_at, run_at, task, outcome, origin)
     select 'plan ' || n, at, at, at, 1 + n * 100 + hour, 'fired', 'schedule'
     from generate_series(1, 100) as n, generate_series(1, 24) as hour,
          lateral (select date_trunc('hour', now()) - hour * interval '1 hour' as at) as back`,
  )
}
