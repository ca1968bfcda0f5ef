-- queued | running → cancelled, and what a task's state allows.

-- cancel_tasks() — queued | waiting | running → cancelled, for the verbs; answers with those of them it cancelled
--
-- With their children that were not started detached, and theirs.

create or replace function cancel_tasks(p_ids bigint[])
  returns bigint[]
  language plpgsql
as $$
declare
  v_asked  bigint[] := p_ids;
  v_family bigint[] := find_children(p_ids);
  v_ids    bigint[];
  v_claims bigint[];
begin
  p_ids := p_ids || v_family;
  perform split_live_packs(p_ids);
  select array_agg(live.id), array_agg(live.claim) into v_ids, v_claims
  from (
    select id, claim from tasks where id = any (p_ids) order by id for no key update
  ) as live;

  perform notify_cancelled(v_ids, v_claims);
  v_ids := end_tasks(
    v_ids, v_claims, 'cancelled', array_fill('aborted'::text, array[coalesce(cardinality(v_ids), 0)]));
  if v_family = '{}' then
    return v_ids;
  end if;
  return array(select id from unnest(v_ids) as ended (id) where id = any (v_asked));
end;
$$;

-- lock_tasks() — takes every lock that ending, moving or deleting these tasks will need
--
-- In the order of all verbs: tasks by id, their claims by id, then groups. So that
-- a caller may go through many tasks one by one, with a verb for each, and neither
-- wait for a worker that waits for it nor be waited for so.

create or replace function lock_tasks(p_ids bigint[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_claims bigint[];
  v_names  text[];
begin
  perform split_packs(p_ids);
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
    ), p_now, p_counts => false);
end;
$$;

-- require_state() — refuses what a task's state does not allow

create or replace function require_state(p_id bigint, p_allowed boolean, p_verb text, p_state text)
  returns void
  language plpgsql
as $$
declare
  v_state text;
begin
  if p_allowed then
    return;
  end if;
  -- One look: between two it may come back from where the second looks to where the first did.
  v_state := coalesce(
    (select case when claim is not null then 'running' when waits is not null then 'waiting' else 'queued' end
     from tasks
     where id <= p_id and id > greatest(p_id, 0) - bound('pack') and id + size > p_id),
    (select state from finished where id <= p_id and id > greatest(p_id, 0) - bound('pack') and id + size > p_id));
  if v_state is null then
    perform refuse_unknown(p_id);
  end if;
  perform refuse('TK003', format('task %s is %s and cannot be %s', p_id, v_state, p_verb),
                 format('Only a task that is %s can be %s.', p_state, p_verb));
end;
$$;
