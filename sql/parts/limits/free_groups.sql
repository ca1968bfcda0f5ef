-- free_groups() — gives slots back, and hands them on
--
-- One element per task that left: its groups are given back if it ran
-- (p_ran), and in any case the next in line may move up.

create or replace function free_groups(p_groups text[], p_ran integer[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_names text[];
  v_ended integer[];
  v_left  integer[];
begin
  select array_agg(given.name order by given.name), array_agg(given.ended order by given.name),
         array_agg(given.n order by given.name)
  into v_names, v_ended, v_left
  from (
    select name, sum(ran)::integer as ended, count(*)::integer as n
    from unnest(p_groups, p_ran) as each (name, ran)
    group by name
  ) as given;
  -- An empty list of groups names none.
  if v_names is null then
    return;
  end if;

  perform lock_groups(v_names, p_now);

  update groups
  set running       = running - given.ended,
      used_at       = p_now,
      next_start_at = case
        when gap > interval '0' and gap_from = 'end' and given.ended > 0 then greatest(next_start_at, p_now + gap)
        else next_start_at
      end
  from unnest(v_names, v_ended) as given (name, ended)
  where groups.name = given.name;

  -- One look instead of one per group, when nobody waits for any.
  if exists (select from tasks where parked_on is not null) then
    perform hand_over(v_names, v_left);
  end if;
end;
$$;
