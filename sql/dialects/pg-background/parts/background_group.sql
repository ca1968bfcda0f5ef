-- background_group() — a group that a claim makes gets the limits of its topic

create or replace function background_group()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_limits jsonb;
begin
  if new.name = 'pg_background' then
    new.max_running := coalesce(new.max_running, background_limit());
  else
    v_limits := background_limits(substr(new.name, length('pg_background:') + 1));
    new.max_running := coalesce(new.max_running, (v_limits ->> 'max_running')::integer);
    new.gap := coalesce(new.gap, (v_limits ->> 'gap')::interval);
  end if;
  return new;
end;
$$;
