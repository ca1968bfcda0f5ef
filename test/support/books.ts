import type { TestEngine } from './test-engine.ts'

/**
 * What must hold at every moment, judged by one statement and so by one snapshot: each row it gives
 * is a fault. Claims count what they hold, groups that have a row and queues count what runs, a task runs uncounted only
 * without a limit and under a claim that says so, a task that waits in the line of its claim does not run, a key belongs to a task that lives or
 * is kept, and each task has one payload.
 */
export const faults = `
  with running as materialized (
    select tasks.id, tasks.size, tasks.claim, tasks.max_running, held.name
    from tasks
    cross join lateral unnest(
      case when tasks.parked_on is null then tasks.groups end || ('@' || tasks.queue)) as held (name)
    where tasks.claim is not null
  ), really as materialized (
    select name, sum(size) as n from running group by name
  )
  select format('claim %s counts %s open but holds %s', claims.id, claims.open, coalesce(sum(tasks.size), 0)) as fault
  from claims left join tasks on tasks.claim = claims.id
  group by claims.id
  having coalesce(sum(tasks.size), 0) + (select coalesce(sum(ended), 0) from lease_notes where claim = claims.id) <> claims.open
  union all
  select format('task %s runs under claim %s, which is gone', id, claim)
  from tasks where claim is not null and not exists (select from claims where claims.id = tasks.claim)
  union all
  select format('group %s counts %s running but has %s', groups.name, groups.running, coalesce(really.n, 0))
  from groups left join really on really.name = groups.name
  where groups.running <> coalesce(really.n, 0) and groups.opened_by is null
  union all
  select format('task %s of group %s runs uncounted', running.id, running.name)
  from running
  join claims on claims.id = running.claim
  where left(running.name, 1) <> '@'
    and not exists (select from groups where groups.name = running.name and groups.opened_by is null)
    and (running.max_running is not null or not claims.has_uncounted)
  union all
  select format('key %s is held by task %s, which neither lives nor is kept', key, task)
  from keys
  where until in ('-infinity', 'infinity')
    and not exists (select from tasks where tasks.id = keys.task)
    and not exists (select from finished where finished.id = keys.task)
  union all
  select format('task %s has lost its key %s', id, key)
  from tasks
  where key is not null and not (coalesce(frees_key, false) and attempt > 0)
    and not exists (select from keys where keys.queue = tasks.queue and keys.key = tasks.key and keys.task = tasks.id)
  union all
  select format('task %s is both live and finished', tasks.id) from tasks join finished using (id)
  union all
  select format('task %s has %s payloads', id, case when payload is null then 'no' else 'two' end)
  from (select id, payload from tasks union all select id, payload from finished) as row
  where (payload is null) <> exists (select from payloads where payloads.task = row.id)
  union all
  select format('a payload is kept of task %s, which neither lives nor is kept', task)
  from payloads
  where not exists (select from tasks where tasks.id = payloads.task)
    and not exists (select from finished where finished.id = payloads.task)`

/** What the books have wrong right now; nothing, if all is well. */
export async function faultsIn(engine: TestEngine): Promise<string[]> {
  return (await engine.rows<{ fault: string }>(faults)).map(({ fault }) => fault)
}

const breaches = `
  select format('%s runs %s of %s', groups.name, sum(tasks.size), groups.max_running) as fault
  from groups
  join tasks on tasks.claim is not null
    and (groups.name = any (tasks.groups) and tasks.parked_on is null or groups.name = '@' || tasks.queue)
  where groups.max_running is not null
  group by groups.name having sum(tasks.size) > groups.max_running`

/** Groups and queues of which more runs than their limit allows. */
export async function breachesIn(engine: TestEngine): Promise<string[]> {
  return (await engine.rows<{ fault: string }>(breaches)).map(({ fault }) => fault)
}

/** How many tasks are in each state; what is gone is not counted. */
export async function census(engine: TestEngine): Promise<Record<string, number>> {
  const rows = await engine.rows<{ state: string; n: number }>(`
    select case when claim is null then 'queued' else 'running' end as state, sum(size)::int as n from tasks group by 1
    union all
    select state, sum(size)::int from finished group by 1`)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
