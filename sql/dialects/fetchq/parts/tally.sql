-- tally() — writes down changes of counters; those of zero are none

create or replace function tally(p_queue varchar, p_metrics varchar[], p_increments bigint[])
  returns void
  language plpgsql
as $$
begin
  insert into metrics_writes (created_at, queue, metric, increment)
  select now(), p_queue, p_metrics[i], p_increments[i]
  from generate_subscripts(p_metrics, 1) as i
  where p_increments[i] <> 0;
end;
$$;
