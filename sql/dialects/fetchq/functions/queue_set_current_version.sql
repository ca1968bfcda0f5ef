-- queue_set_current_version() — the version that new documents have; nothing rests on it

create or replace function queue_set_current_version(
  par_queue varchar, par_newversion integer, out affected_rows integer, out was_reindexed boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  update queues set current_version = par_newversion where name = lower(par_queue) and par_newversion is not null;
  get diagnostics affected_rows = row_count;
  was_reindexed := affected_rows > 0;
end;
$$;
