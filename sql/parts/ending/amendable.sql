-- amendable() — the names of what amend() can change

create or replace function amendable()
  returns text[]
  language sql
  immutable
as $$
  select '{payload,meta,parent,retention,run_at,deadline,priority,version,groups,max_running,tags,timeout,max_attempts,backoff}'::text[];
$$;
