-- waiting → queued: how tasks wake.

-- lock_waiter() — locks the row of a task that may wait; `is_held` when another transaction keeps it for long
--
-- A row that is held is waited for, but not for long: an operator's open transaction must not keep a
-- worker from ending a task (docs/decisions/0018). The caller then leaves a note.

create or replace function lock_waiter(p_id bigint, out task tasks, out is_held boolean)
  language plpgsql
as $$
declare
  c_patience constant text := '250ms';
  v_before   text;
begin
  is_held := false;
  select * into task from tasks where id = p_id for no key update skip locked;
  if found or not exists (select from tasks where id = p_id) then
    return;
  end if;
  v_before := current_setting('lock_timeout');
  begin
    perform set_config('lock_timeout', c_patience, true);
    select * into task from tasks where id = p_id for no key update;
    perform set_config('lock_timeout', v_before, true);
  exception when lock_not_available then
    is_held := true;
  end;
end;
$$;

-- wake_tasks() — waiting → queued, due now, for callers that hold the rows

create or replace function wake_tasks(p_ids bigint[])
  returns void
  language plpgsql
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_ids    bigint[];
  v_queues text[];
  v_first  timestamptz;
begin
  with woken as (
    update tasks
    set waits  = null,
        run_at = greatest(least(run_at, v_now), (waits #>> '{after,run_at}')::timestamptz)
    where id = any (p_ids) and claim is null and waits is not null
    returning id, queue, run_at
  )
  select array_agg(id), array_agg(queue), min(run_at) into v_ids, v_queues, v_first from woken;
  if v_ids is not null then
    perform record_events('wake', v_ids, v_queues);
    perform wake_workers(v_queues, v_first);
  end if;
end;
$$;

-- apply_ends() — what the ends of tasks mean for one that waits for them, whose row the caller holds
--
-- p_after of them were tasks it comes after, the others its children of these names. All ended
-- alike. Answers wake, fail or skip; null when it has to wait on: then that is stored, so that a
-- transaction with an older snapshot cannot overlook it.

create or replace function apply_ends(p_task tasks, p_after integer, p_children text[], p_succeeded boolean)
  returns text
  language plpgsql
as $$
declare
  v_waits jsonb := p_task.waits;
  v_join  jsonb;
  v_left  integer;
  v_mine  integer;
begin
  if p_task.claim is not null or v_waits is null then
    return null;
  end if;
  if p_after > 0 and v_waits ? 'after' then
    if not p_succeeded and v_waits #>> '{after,on_failure}' <> 'run' then
      return v_waits #>> '{after,on_failure}';
    end if;
    v_left := (v_waits #>> '{after,left}')::integer - p_after;
    if v_left <= 0 then
      return 'wake';
    end if;
    v_waits := jsonb_set(v_waits, '{after,left}', to_jsonb(v_left));
  end if;
  for v_at in 0 .. coalesce(jsonb_array_length(v_waits -> 'joins'), 0) - 1 loop
    v_join := v_waits -> 'joins' -> v_at;
    v_mine := (select count(*) from unnest(p_children) as child (name) where v_join -> 'children' ? child.name);
    continue when v_mine = 0;
    v_left := (v_join ->> 'left')::integer - v_mine;
    if v_left <= 0 or (
      case v_join ->> 'mode'
        when 'all' then not p_succeeded and v_join ->> 'on_failure' = 'throw'
        when 'any' then p_succeeded
        else true
      end)
    then
      return 'wake';
    end if;
    v_waits := jsonb_set(v_waits, array['joins', v_at::text, 'left'], to_jsonb(v_left));
  end loop;
  update tasks set waits = v_waits where id = p_task.id;
  return null;
end;
$$;

-- fold_wake_notes() — has tasks look again that could not be notified; answers how many it woke or ended
--
-- Waits for no row: what is still held is left to the next time.

create or replace function fold_wake_notes(p_limit integer default 1000)
  returns integer
  language plpgsql
as $$
declare
  v_note   record;
  v_task   tasks;
  v_result text;
  v_woken  integer := 0;
begin
  if not exists (select from wake_notes) then
    return 0;
  end if;
  for v_note in
    delete from wake_notes
    where ctid = any (array(select ctid from wake_notes limit p_limit for update skip locked))
    returning task, queue, key, has_failed
  loop
    select * into v_task from tasks
    where id = coalesce(v_note.task, (select keys.task from keys where queue = v_note.queue and key = v_note.key))
    for no key update skip locked;
    if not found then
      insert into wake_notes (task, queue, key, has_failed)
      select v_note.task, v_note.queue, v_note.key, v_note.has_failed
      where exists (select from tasks where id = v_note.task);
      continue;
    end if;
    continue when v_task.claim is not null or v_task.waits is null;
    v_result := look_again(v_task, v_note.has_failed);
    if v_result = 'wake' then
      perform wake_tasks(array[v_task.id]);
    elsif v_result is not null then
      perform end_dependents(array[v_task.id], v_result);
    end if;
    v_woken := v_woken + (v_result is not null)::integer;
  end loop;
  return v_woken;
end;
$$;

-- look_again() — what a waiting task has to do, decided from all that is stored: wake, fail, skip or nothing
--
-- For notes. It may wake a task that then finds nothing and sleeps again, which is harmless.

create or replace function look_again(p_task tasks, p_has_failed boolean)
  returns text
  language plpgsql
as $$
declare
  v_left bigint;
begin
  if p_task.waits ? 'after' then
    if p_has_failed and p_task.waits #>> '{after,on_failure}' <> 'run' then
      return p_task.waits #>> '{after,on_failure}';
    end if;
    v_left := (select count(*) from awaits where waiter = p_task.id and name is null);
    update tasks set waits = jsonb_set(waits, '{after,left}', to_jsonb(v_left)) where id = p_task.id;
    return case when v_left = 0 then 'wake' end;
  end if;
  return 'wake';
end;
$$;
