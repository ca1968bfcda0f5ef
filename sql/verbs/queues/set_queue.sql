-- set_queue() — changes the settings of a queue; they hold from the next claim on
--
-- What was claimed before counts as running and may stay above a lower limit until it
-- ends; workers give back what they have not started (recall_unstarted()).
--
--   select set_queue('mail', '{"max_running": 10, "keep_done": "1 day"}');
--
-- What is not named stays as it is; null puts the default back, which is the
-- setting of the queue '*'. The limits (max_running, gap, gap_from, rate,
-- rate_window) are exact; see set_group() for what they mean.

create or replace function set_queue(p_queue text, p_settings jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('queue', p_queue);
  c_limits constant text[] := '{max_running,gap,gap_from,rate,rate_window}';
  c_rules  constant text[] := '{max_attempts,max_payload,group_max_running,keep_done,keep_failed,keep_cancelled,'
                              'backoff,on_lost,timeout,sql_max_rows,sql_max_bytes,is_fair,keeps_keys,'
                              'records_events,packs}';
  v_old    queues;
  v_new    queues;
begin
  if p_queue is distinct from '*' then
    perform check_queue(p_queue);
  end if;
  if has_grants() then
    perform require_queues('operate', array[p_queue]);
  end if;
  perform check_settings(p_settings, c_limits || c_rules);

  insert into queues (name) select p_queue where p_queue <> '*' on conflict (name) do nothing;
  select * into v_old from queues where name = p_queue for update;
  v_new := apply_queue_settings(v_old, p_settings);
  update queues
  set max_attempts      = v_new.max_attempts,
      max_payload       = v_new.max_payload,
      group_max_running = v_new.group_max_running,
      keep_done         = v_new.keep_done,
      keep_failed       = v_new.keep_failed,
      keep_cancelled    = v_new.keep_cancelled,
      backoff           = v_new.backoff,
      on_lost           = v_new.on_lost,
      timeout           = v_new.timeout,
      sql_max_rows      = v_new.sql_max_rows,
      sql_max_bytes     = v_new.sql_max_bytes,
      is_fair           = v_new.is_fair,
      keeps_keys        = v_new.keeps_keys,
      records_events    = v_new.records_events,
      packs             = v_new.packs
  where name = p_queue;

  if p_settings ?| c_limits then
    if p_queue = '*' then
      perform refuse('TK004', 'the queue * cannot have limits',
                     'Set limits for each queue. To limit all groups, set group_max_running.');
    end if;
    if not v_old.is_counted then
      perform start_counting(p_queue);
    end if;
    perform change_group('@' || p_queue, p_settings - c_rules);
  end if;
  if v_new.group_max_running is distinct from v_old.group_max_running then
    perform reopen_groups(p_queue, (select group_max_running from queue_rules(p_queue)));
  end if;
  if v_new.is_fair <> v_old.is_fair then
    perform regroup_queue(p_queue, v_new.is_fair);
  end if;
  perform audit_change('set_queue', 'queue', p_queue, v_before);
end;
$$;

-- reopen_groups() — after the limit common to the groups of a queue changed, lets in who now has room
--
-- Only groups without a limit of their own are concerned. Handing over too many
-- does no harm: the next claim() still checks.

create or replace function reopen_groups(p_queue text, p_common integer)
  returns void
  language plpgsql
as $$
declare
  v_group groups;
  v_name  text := '';
begin
  loop
    select min(parked_on) into v_name from tasks where parked_on > v_name;
    exit when v_name is null;
    perform lock_groups(array[v_name], clock_timestamp(), p_creates => true);
    select * into v_group from groups where name = v_name;
    if v_group.max_running is null then
      perform unpark_tasks(array[v_name], array[greatest(coalesce(p_common, 2147483647) - v_group.running, 0)]);
    end if;
  end loop;
  perform wake_workers(array(select distinct queue from sleepers where p_queue in ('*', queue)));
end;
$$;

-- start_counting() — from now on the running tasks of a queue are counted
--
-- A queue gets its counter with its first limit and keeps it. Claims under way are
-- waited for, and new ones wait; so are ends under way, which did not know that
-- they would be counted. So the count begins true.
--
-- The rows are written, not only locked: an end with an older snapshot (repeatable
-- read, serializable) does not see that its slot is counted and would keep it. On a
-- changed row it is a serialization failure. A caller with such a snapshot does not see
-- the claims it waited for, and would count too few.

create or replace function start_counting(p_queue text)
  returns void
  language plpgsql
as $$
declare
  v_ids bigint[];
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    perform refuse(
      'TK004',
      format('the first limit of queue %s cannot be set at isolation level %s', p_queue,
             current_setting('transaction_isolation')),
      'Call set_queue() in a transaction at read committed: begin isolation level read committed.');
  end if;
  perform close_gate(p_queue);
  v_ids := array(
    select tasks.id
    from claims
    cross join lateral unnest(claimed_ids(claims)) as held (id)
    join tasks on tasks.id = any (array[held.id]) and tasks.claim = claims.id
    where claims.queue = p_queue
    order by held.id
    for no key update of tasks
  );
  update tasks set claim = claim where id = any (v_ids);

  perform lock_groups(array['@' || p_queue], clock_timestamp(), p_creates => true);
  update queues set is_counted = true where name = p_queue;
  update groups set running = count_running(name) where name = '@' || p_queue;
end;
$$;

-- regroup_queue() — moves the tasks of a queue that becomes fair, or ceases to be
--
-- Waits for no other session: claim() finds those that stay behind, as it finds those that are
-- being enqueued at this moment.

create or replace function regroup_queue(p_queue text, p_fair boolean)
  returns void
  language plpgsql
as $$
begin
  -- Each task of a pack gets a place in line.
  if p_fair then
    perform cut_pack(id, 1, false) from tasks where queue = p_queue and turn is null and size > 1;
  end if;
  update tasks
  set turn      = case when p_fair then coalesce(groups[1], '') end,
      parked_on = null
  where ctid = any (array(
    select ctid from tasks where queue = p_queue and (turn is not null) <> p_fair and size = 1
      and (claim is null or parked_on is null)
    for no key update skip locked
  ));
  perform wake_workers(array[p_queue]);
end;
$$;
