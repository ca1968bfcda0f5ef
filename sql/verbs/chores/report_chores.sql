-- report_chores() — a worker tells how its chores went; answers how many workers there are
--
-- For those that lead nothing; a leader tells it with lead_chores().

create or replace function report_chores(p_worker text, p_runs jsonb)
  returns integer
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_worker(p_worker);
  if coalesce(p_worker, '') = '' or p_runs is null then
    perform refuse('TK004', 'report_chores needs a worker and an array of its runs',
                   'Write report_chores(''worker'', ''[{"chore": "sweep", "runs": 1}]'').');
  end if;
  perform record_runs(p_worker, p_runs);
  return (select count(*) from workers where beat_at > clock_timestamp() - interval '1 minute');
end;
$$;
