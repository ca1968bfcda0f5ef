-- run_chore() — does a round of one of the built-in chores
--
-- Workers call it for the chores they lead; psql or any scheduler may call it too.
-- With a worker and a term it does nothing unless that worker leads in that term
-- (fence()). Any number may do a chore at once, with the same result: each takes only
-- rows that no other holds and that are still as the chore expects them.
--
-- Answers how many things it dealt with and, if it can tell, in how many milliseconds
-- there will be more to do; 0 when p_limit cut it short.

create or replace function run_chore(
  p_chore  text,
  p_worker text    default null,
  p_term   bigint  default null,
  p_limit  integer default null,
  out processed  bigint,
  out next_in_ms float8
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_round(p_limit);
  if p_term is not null then
    perform fence(p_chore, p_worker, p_term);
  end if;
  case p_chore
    when 'wake' then
      processed := wake_sleepers() + fold_wake_notes(coalesce(p_limit, 1000));
    when 'rescue' then
      select count(*) into processed from rescue(coalesce(p_limit, 1000));
      -- What is over and was not rescued is held by another transaction: once a second will do.
      next_in_ms := case
        when processed >= coalesce(p_limit, 1000) then 0
        else (select case when next > interval '0' then extract(epoch from next) * 1000 else 1000 end
              from next_rescue() as next
              where next is not null)
      end;
    when 'expire' then
      select count(*) into processed from expire(coalesce(p_limit, 1000));
      -- At most once a second, however close the deadlines are.
      next_in_ms := case
        when processed >= coalesce(p_limit, 1000) then 0
        else (select greatest(extract(epoch from min(deadline) - clock_timestamp()), 1) * 1000
              from tasks
              where deadline > clock_timestamp()
              having min(deadline) is not null)
      end;
    when 'fire' then
      select fired.processed, fired.next_in_ms into processed, next_in_ms from fire(coalesce(p_limit, 100)) as fired;
    when 'sweep' then
      -- By itself: until the end of the transaction no session can end a task.
      processed := prepare_days(clock_timestamp());
      if processed > 0 then
        next_in_ms := 0;
        return;
      end if;
      select swept.tasks + swept.days, case when swept.more then 0 end into processed, next_in_ms
      from sweep(coalesce(p_limit, 10000)) as swept;
    when 'roll_up' then
      processed := roll_up(coalesce(p_limit, 10000));
      next_in_ms := case when processed >= coalesce(p_limit, 10000) then 0 end;
    when 'forget_workers' then
      select count(*) into processed from forget_workers();
      perform merge_old_runs();
    when 'repair_limits' then
      select count(*) into processed from repair_limits();
    when 'storage' then
      processed := maintain_storage();
    when 'operations' then
      select went.processed, case when went.more then 0 end into processed, next_in_ms
      from advance_silent_operations(coalesce(p_limit, 500)) as went;
    else
      perform refuse('TK004', format('there is no built-in chore %s', coalesce(left(p_chore, bound('chore')), 'null')),
                     'They are wake, rescue, expire, fire, sweep, roll_up, forget_workers, repair_limits, storage and '
                     'operations.');
  end case;
end;
$$;

-- wake_sleepers() — rings those who sleep on a queue in which a task has just become due
--
-- A worker that sleeps knows when its next task is due and looks by itself: this is
-- for the ring that was lost. Only what became due a moment ago counts, so a task
-- that no worker can run does not ring for ever. Answers how many queues it rang for.

create or replace function wake_sleepers()
  returns integer
  language plpgsql
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_queue  text;
  v_queues text[] := '{}';
begin
  for v_queue in
    select distinct queue from sleepers where until > v_now
  loop
    if (select paused_at from queue_rules(v_queue)) is null and exists (
      select
      from (select distinct priority from lanes where lanes.queue = v_queue) as lane
      cross join lateral (
        select
        from tasks
        where tasks.queue = v_queue and parked_on is null and turn is null and tasks.priority = lane.priority
          and run_at > v_now - interval '15 seconds' and run_at <= v_now and claim is null
        limit 1
      ) as due
    ) then
      v_queues := v_queues || v_queue;
    end if;
  end loop;
  if v_queues <> '{}' then
    perform wake_workers(v_queues);
  end if;
  return cardinality(v_queues);
end;
$$;

-- maintain_storage() — brings the block range indexes that sweep() reads up to date, prepares
-- the coming days of finished, and drops the empty ones
--
-- Answers how many days were dropped and how many block ranges were summarised. A
-- table that is in use is left for the next time.

create or replace function maintain_storage()
  returns bigint
  language plpgsql
  set lock_timeout = '1s'
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_done  bigint := 0;
  v_index regclass;
begin
  for v_index in
    select inhrelid::regclass from pg_inherits where inhparent = 'finished_to_sweep'::regclass
    union all
    select 'events_to_sweep'::regclass
  loop
    begin
      v_done := v_done + brin_summarize_new_values(v_index);
    exception
      when lock_not_available or undefined_table or undefined_object then null;
    end;
  end loop;
  -- Last, because no session can end a task while the history is locked.
  perform prepare_days(v_now);
  return v_done + (select days from drop_days(10000, v_now));
end;
$$;

-- merge_old_runs() — puts together what workers that are gone have left of their records
--
-- Any number may fold at once: each takes rows that no other holds.

create or replace function merge_old_runs()
  returns void
  language sql
as $$
  with gone as (
    delete from chore_runs
    where ctid = any (array(
      select ctid
      from chore_runs
      where worker <> '' and last_run_at < clock_timestamp() - interval '1 minute'
        and not exists (select from workers where workers.id = chore_runs.worker)
      for update skip locked
    ))
    returning *
  )
  insert into chore_runs as known
    (chore, worker, last_run_at, last_ok_at, last_error_at, last_error, runs, processed, errors, last_ms,
     total_ms, max_ms)
  select chore, '', max(last_run_at), max(last_ok_at), max(last_error_at),
         (array_agg(last_error order by last_error_at desc nulls last))[1], sum(runs), sum(processed), sum(errors),
         (array_agg(last_ms order by last_run_at desc))[1], sum(total_ms), max(max_ms)
  from gone
  group by chore
  order by chore
  on conflict (chore, worker) do update
    set last_run_at   = greatest(known.last_run_at, excluded.last_run_at),
        last_ok_at    = greatest(known.last_ok_at, excluded.last_ok_at),
        last_error    = case when excluded.last_error_at > coalesce(known.last_error_at, '-infinity')
                             then excluded.last_error else known.last_error end,
        last_error_at = greatest(known.last_error_at, excluded.last_error_at),
        runs          = known.runs + excluded.runs,
        processed     = known.processed + excluded.processed,
        errors        = known.errors + excluded.errors,
        last_ms       = excluded.last_ms,
        total_ms      = known.total_ms + excluded.total_ms,
        max_ms        = greatest(known.max_ms, excluded.max_ms);
$$;

-- advance_silent_operations() — advances the operations whose drivers are silent, a page each; for the chore operations
--
-- Once the chore has taken one over it goes on with it page after page. Answers how many
-- tasks it dealt with, and whether there is more to do at once.

create or replace function advance_silent_operations(p_limit integer, out processed bigint, out more boolean)
  language plpgsql
as $$
declare
  v_old operations;
  v_new operations;
begin
  processed := 0;
  more := false;
  for v_old in
    select * from operations
    where state = 'running' and (by_chore or advanced_at < clock_timestamp() - interval '5 seconds')
    order by advanced_at
    limit 10
  loop
    v_new := advance_page(v_old.id, p_limit, true);
    processed := processed + v_new.matched - v_old.matched;
    -- Not if another is at it: then there is nothing to do for this one.
    more := more or (v_new.state = 'running' and v_new.advanced_at > v_old.advanced_at);
  end loop;
end;
$$;
