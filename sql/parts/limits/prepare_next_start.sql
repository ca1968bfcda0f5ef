-- prepare_next_start() — keeps the line of a group with a gap or a rate moving
--
-- Such a group waits for time, not for an end: so each start brings the next
-- parked task back into the index, dated for the group's next start. A rate with
-- starts to spare brings back as many.

create or replace function prepare_next_start(p_names text[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_names  text[];
  v_counts integer[];
begin
  select array_agg(name), array_agg(greatest(least(coalesce(rate_left, 1), 100), 1))
  into v_names, v_counts
  from groups
  where name = any (p_names) and (rate is not null or (gap > interval '0' and gap_from = 'start'));

  if v_names is not null then
    perform hand_over(v_names, v_counts);
  end if;
end;
$$;
