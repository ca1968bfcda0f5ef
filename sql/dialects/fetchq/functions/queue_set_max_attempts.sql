-- queue_set_max_attempts() — how many picks a document gets before it is killed

create or replace function queue_set_max_attempts(
  par_queue varchar, par_maxattempts integer, out affected_rows integer, out was_reindexed boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  -- The trigger on queues tells the engine.
  update queues set max_attempts = greatest(par_maxattempts, 1)
  where name = lower(par_queue) and par_maxattempts is not null;
  get diagnostics affected_rows = row_count;
  was_reindexed := affected_rows > 0;
end;
$$;
