import type { TestEngine } from './test-engine.ts'

/**
 * What must hold at every moment, judged by one statement and so by one snapshot: each row it gives
 * is a fault. Claims count what they hold, groups and queues count what runs, nothing runs beyond a
 * limit, and a key belongs to a task that lives or is kept.
 */
export const faults = `
  with running as materialized (
    select tasks.id, tasks.claim, held.name
    from tasks
    cross join lateral unnest(tasks.groups || ('@' || tasks.queue)) as held (name)
    where tasks.claim is not null
  ), really as materialized (
    select name, count(*) as n from running group by name
  )
  select format('claim %s counts %s open but holds %s', claims.id, claims.open, count(tasks.id)) as fault
  from claims left join tasks on tasks.claim = claims.id
  group by claims.id
  having count(tasks.id) + (select coalesce(sum(ended), 0) from lease_notes where claim = claims.id) <> claims.open
  union all
  select format('task %s runs under claim %s, which is gone', id, claim)
  from tasks where claim is not null and not exists (select from claims where claims.id = tasks.claim)
  union all
  select format('group %s counts %s running but has %s', groups.name, groups.running, coalesce(really.n, 0))
  from groups left join really on really.name = groups.name
  where groups.running <> coalesce(really.n, 0)
  union all
  select format('task %s of group %s runs uncounted', running.id, running.name)
  from running
  where left(running.name, 1) <> '@' and not exists (select from groups where groups.name = running.name)
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
  select format('task %s is both live and finished', tasks.id) from tasks join finished using (id)`

/** What the books have wrong right now; nothing, if all is well. */
export async function faultsIn(engine: TestEngine): Promise<string[]> {
  return (await engine.rows<{ fault: string }>(faults)).map(({ fault }) => fault)
}

const breaches = `
  select format('%s runs %s of %s', groups.name, count(*), groups.max_running) as fault
  from groups
  join tasks on tasks.claim is not null
    and (groups.name = any (tasks.groups) or groups.name = '@' || tasks.queue)
  where groups.max_running is not null
  group by groups.name having count(*) > groups.max_running`

/** Groups and queues of which more runs than their limit allows. */
export async function breachesIn(engine: TestEngine): Promise<string[]> {
  return (await engine.rows<{ fault: string }>(breaches)).map(({ fault }) => fault)
}

/** How many tasks are in each state; what is gone is not counted. */
export async function census(engine: TestEngine): Promise<Record<string, number>> {
  const rows = await engine.rows<{ state: string; n: number }>(`
    select case when claim is null then 'queued' else 'running' end as state, count(*)::int as n from tasks group by 1
    union all
    select state, count(*)::int from finished group by 1`)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
