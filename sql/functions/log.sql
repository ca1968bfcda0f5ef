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
  perform forget_lines(p_ids, p_claims);
  insert into logs (task, attempt, at, level, message)
  select line.id, line.attempt, coalesce(likely_time(p_ats[line.i]), clock_timestamp()),
         left(coalesce(p_levels[line.i], 'info'), bound('level')), left(p_messages[line.i], bound('line'))
  from (
    select tasks.id, tasks.attempt, i, row_number() over (partition by p_ids[i] order by i) as place
    from generate_subscripts(p_ids, 1) as i
    join tasks on tasks.id = any (array[p_ids[i]]) and tasks.claim = p_claims[i]
    where p_messages[i] is not null
  ) as line
  where line.place + (select count(*) from (select from logs where task = line.id limit 1000) as kept) <= 1000
  order by line.i;
  select array_agg(tasks.id), array_agg(tasks.queue) into v_ids, v_queues
  from (select distinct id, claim from unnest(p_ids, p_claims) as line (id, claim)) as told
  join tasks on tasks.id = any (array[told.id]) and tasks.claim = told.claim;
  perform note_events('log', v_ids, v_queues);
end;
$$;
