-- log(): running, with lines that stay with the task
--
-- One element per line; lines of tasks that are no longer held are dropped.
-- A task keeps its first 1,000 lines, of at most 4,000 characters each; of one that was
-- rescheduled, the oldest of earlier rounds give way.

create or replace function log(
  p_ids      bigint[],
  p_claims   bigint[],
  p_levels   text[],
  p_messages text[],
  p_ats      timestamptz[] default null
)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_ids    bigint[];
  v_queues text[];
begin
  perform check_outcomes(p_ids, p_claims);
  perform require_tasks('consume', p_ids);
  perform check_list('p_levels', p_levels);
  perform check_list('p_messages', p_messages);
  perform check_list('p_ats', p_ats);
  perform trim_log_lines(p_ids, p_claims);
  insert into logs (task, attempt, at, level, message)
  select line.id, line.attempt, coalesce(plausible_time(p_ats[line.i]), clock_timestamp()),
         left(coalesce(p_levels[line.i], 'info'), bound('level')), left(p_messages[line.i], bound('line'))
  from (
    select p_ids[i] as id, tasks.attempt, i, row_number() over (partition by p_ids[i] order by i) as place
    from generate_subscripts(p_ids, 1) as i
    join tasks on tasks.id = any (array[find_row(p_ids[i])]) and tasks.claim = p_claims[i]
    where p_messages[i] is not null
  ) as line
  where line.place + (select count(*) from (select from logs where task = line.id limit 1000) as kept) <= 1000
  order by line.i;
  select array_agg(told.id), array_agg(tasks.queue) into v_ids, v_queues
  from (select distinct id, claim from unnest(p_ids, p_claims) as line (id, claim)) as told
  join tasks on tasks.id = any (array[find_row(told.id)]) and tasks.claim = told.claim;
  perform record_events('log', v_ids, v_queues);
end;
$$;

-- trim_log_lines() — what earlier rounds wrote gives way, by half, where a task has no room for so many lines more
--
-- One that is rescheduled again and again may live for ever; it would fall silent after its
-- first thousand lines. What the present claim wrote stays.

create or replace function trim_log_lines(p_ids bigint[], p_claims bigint[])
  returns void
  language plpgsql
as $$
begin
  delete from logs
  using (
    select tasks.id, claims.claimed_at, half.line
    from tasks
    join claims on claims.id = any (array[tasks.claim])
    cross join lateral (
      select lines.id as line from logs as lines
      where lines.task = any (array[tasks.id]) order by lines.id offset 499 limit 1
    ) as half
    where tasks.id = any (p_ids) and tasks.claim = any (p_claims) and tasks.iteration > 0
      and (select count(*) from (select from logs as lines where lines.task = any (array[tasks.id]) limit 1000) as kept)
            + cardinality(p_ids) > 1000
  ) as long
  where logs.task = any (array[long.id]) and logs.id <= long.line and logs.at < long.claimed_at;
end;
$$;
