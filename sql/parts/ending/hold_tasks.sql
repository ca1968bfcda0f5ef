-- hold_tasks() — takes every lock that ending, moving or deleting these tasks will need
--
-- In the order of all verbs: tasks by id, their claims by id, then groups. So that
-- a caller may go through many tasks one by one, with a verb for each, and neither
-- wait for a worker that waits for it nor be waited for so.

create or replace function hold_tasks(p_ids bigint[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_claims bigint[];
  v_names  text[];
begin
  select array_agg(held.claim), array_agg(held.names::text)
  into v_claims, v_names
  from (
    select claim, groups || ('@' || queue) as names from tasks where id = any (p_ids) order by id for no key update
  ) as held;
  if v_names is null then
    return;
  end if;
  perform from claims where id = any (v_claims) order by id for update skip locked;
  perform lock_groups(
    array(
      select distinct given.name
      from unnest(v_names) as held (names)
      cross join lateral unnest(held.names::text[]) as given (name)
      where left(given.name, 1) <> '@' or exists (select from queues where is_counted and name = substr(given.name, 2))
    ), p_now);
end;
$$;
