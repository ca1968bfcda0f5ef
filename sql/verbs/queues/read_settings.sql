-- read_settings() — what holds in a queue: each setting with its value, and where that comes from
--
--   select * from read_settings('mail');
--
-- The source is `queue` for what was set for this queue, `*` for what was changed for all
-- queues, and `default` for the rest. Null means unlimited. Also of a queue that does not exist
-- yet: its first task is stored under these settings.

create or replace function read_settings(p_queue text)
  returns table (setting text, value jsonb, source text)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  c_flags  constant text[] := '{is_fair,keeps_keys,records_events}';
  c_limits constant text[] := '{max_running,gap,gap_from,rate,rate_window}';
  v_names  text[];
  v_own    jsonb;
  v_common jsonb;
  v_limits jsonb;
begin
  if p_queue is distinct from '*' then
    perform check_queue(p_queue);
    if has_grants() then
      perform require_queues('operate', array[p_queue]);
    end if;
  end if;
  v_names := array(
    select key from jsonb_object_keys(initial_settings()) as key
    union
    values ('group_max_running'), ('timeout'), ('sql_max_rows'), ('sql_max_bytes'));
  select to_jsonb(queues) into v_common from queues where name = '*';
  select to_jsonb(queues) into v_own from queues where name = p_queue and p_queue <> '*';
  select to_jsonb(groups) into v_limits from groups where name = '@' || p_queue;

  return query
    select name, told.value,
           case when told.is_own then 'queue'
                when told.value is distinct from nullif(initial_settings() -> name, 'null') then '*'
                else 'default' end
    from unnest(v_names) as name
    cross join lateral (
      select coalesce(nullif(v_own -> name, 'null'), nullif(v_common -> name, 'null')) as value,
             nullif(v_own -> name, 'null') is not null as is_own
    ) as told
    union all
    select name, coalesce(v_own -> name, 'false'), case when v_own -> name = 'true' then 'queue' else 'default' end
    from unnest(c_flags) as name
    where p_queue <> '*'
    union all
    select name, nullif(v_limits -> name, 'null'),
           -- Where a gap counts from says something only where there is a gap.
           case when v_limits -> case name when 'gap_from' then 'gap' else name end <> 'null' then 'queue'
                else 'default' end
    from unnest(c_limits) as name
    where p_queue <> '*'
    order by 1;
end;
$$;
