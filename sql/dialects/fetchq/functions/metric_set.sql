-- metric_set() — gives a counter a value at once

create or replace function metric_set(
  par_queue varchar, par_subject varchar, par_value integer, out current_value integer, out was_created boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into metrics as old (queue, metric, value, updated_at)
  values (lower(par_queue), par_subject, par_value, now())
  on conflict (queue, metric) do update
    set value = excluded.value, updated_at = excluded.updated_at
  -- A row that was updated has an xmax; one that was inserted has none.
  returning old.value, old.xmax = 0 into current_value, was_created;
end;
$$;
