-- settle() — closes the books on tasks that stopped running or left
--
-- One element per task: the claim it held (null: none), its queue, and its groups
-- as an array literal (null: none, or it was parked and held no place in line).
-- Claims count down and vanish with their last task; the slots of groups, and of
-- queues with limits of their own, are given back and handed on.
--
-- Rows are locked in one order by all verbs, so that no two wait for each other:
-- tasks by id, then claims by id, then groups (lock_groups()). Claims are not waited for
-- for long (count_down()).

create or replace function settle(p_claims bigint[], p_queues text[], p_groups text[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_counted text[];
  v_names   text[];
  v_ran     integer[];
begin
  if p_claims[1] = all (p_claims) then
    delete from claims
    where id = (select id from claims where id = p_claims[1] and open <= cardinality(p_claims) for update skip locked);
  end if;
  if not coalesce(p_claims[1] = all (p_claims) and found, false) then
    perform count_down(p_claims);
  end if;

  -- Asked only now, with the tasks in hand: begin_counting() leaves out what it finds
  -- locked, and must not be overtaken.
  select array_agg(name) into v_counted from queues where is_counted and name = any (p_queues);
  if v_counted is null and array_remove(p_groups, null) = '{}' then
    return;
  end if;

  select array_agg(given.name), array_agg((ended.claim is not null)::integer)
  into v_names, v_ran
  from unnest(p_claims, p_queues, p_groups) as ended (claim, queue, names)
  cross join lateral unnest(
    ended.names::text[]
    || case when ended.claim is not null and ended.queue = any (v_counted) then '@' || ended.queue end
  ) as given (name)
  where given.name is not null;

  if v_names is not null then
    perform free_groups(v_names, v_ran, p_now);
  end if;
  if v_counted is not null then
    perform ring(v_counted);
  end if;
end;
$$;
