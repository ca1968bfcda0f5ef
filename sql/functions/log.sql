-- log(): running, with lines that stay with the task
--
-- One element per line; lines of tasks that are no longer held are dropped.
-- A task keeps its first 1,000 lines, of at most 4,000 characters each.

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
begin
  perform check_outcomes(p_ids, p_claims);
  insert into logs (task, attempt, at, level, message)
  select tasks.id, tasks.attempt, coalesce(p_ats[i], clock_timestamp()), coalesce(p_levels[i], 'info'), left(p_messages[i], 4000)
  from generate_subscripts(p_ids, 1) as i
  join tasks on tasks.id = p_ids[i] and tasks.claim = p_claims[i]
  where p_messages[i] is not null
    and (select count(*) from (select from logs where task = p_ids[i] limit 1000) as kept) < 1000;
end;
$$;
