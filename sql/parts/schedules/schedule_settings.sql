-- schedule_settings() — the names of what a schedule can be set to

create or replace function schedule_settings()
  returns text[]
  language sql
  immutable
as $$
  select '{task,cron,every,at,zone,starts_at,ends_at,jitter,misfire,misfire_after,catch_up,overlap,drift,keep}'::text[];
$$;
