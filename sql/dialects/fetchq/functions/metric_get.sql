-- metric_get() — a counter of a queue, or all of them, as they were packed last

create or replace function metric_get(
  par_queue varchar, par_subject varchar, out current_value integer, out last_update timestamptz, out does_exists boolean
)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
begin
  select shown(value), updated_at, true into current_value, last_update, does_exists
  from metrics where queue = lower(par_queue) and metric = par_subject;
  if not found then
    current_value := 0;
    does_exists := false;
  end if;
end;
$$;

create or replace function metric_get(par_queue varchar)
  returns table (metric varchar, current_value bigint, last_update timestamptz)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select metric, value, updated_at from metrics where queue = lower(par_queue) order by metric;
$$;
