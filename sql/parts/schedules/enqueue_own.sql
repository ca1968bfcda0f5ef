-- enqueue_own() — fires planned times of one schedule whose row the caller holds

create or replace function enqueue_own(
  p_schedule schedules, p_planned_ats timestamptz[], p_run_ats timestamptz[], p_origin text
)
  returns bigint[]
  language plpgsql
as $$
begin
  return enqueue_occurrences(
    array[p_schedule], array_fill(1, array[cardinality(p_planned_ats)]), p_planned_ats, p_run_ats, p_origin);
end;
$$;
