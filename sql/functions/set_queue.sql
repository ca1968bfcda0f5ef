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
  v_before jsonb := described('queue', p_queue);
  c_limits constant text[] := '{max_running,gap,gap_from,rate,rate_window}';
  c_rules  constant text[] := '{max_attempts,max_payload,group_max_running,keep_done,keep_failed,keep_cancelled,backoff,on_lost,is_fair,keeps_keys,records_events}';
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
  v_new := changed_queue(v_old, p_settings);
  update queues
  set max_attempts      = v_new.max_attempts,
      max_payload       = v_new.max_payload,
      group_max_running = v_new.group_max_running,
      keep_done         = v_new.keep_done,
      keep_failed       = v_new.keep_failed,
      keep_cancelled    = v_new.keep_cancelled,
      backoff           = v_new.backoff,
      on_lost           = v_new.on_lost,
      is_fair           = v_new.is_fair,
      keeps_keys        = v_new.keeps_keys,
      records_events    = v_new.records_events
  where name = p_queue;

  if p_settings ?| c_limits then
    if p_queue = '*' then
      perform refuse('TK004', 'limits belong to one queue each', 'Name the queue; for all groups at once set group_max_running.');
    end if;
    if not v_old.is_counted then
      perform begin_counting(p_queue);
    end if;
    perform change_group('@' || p_queue, p_settings - c_rules);
  end if;
  if v_new.group_max_running is distinct from v_old.group_max_running then
    perform reopen_groups(p_queue, (rules(p_queue)).group_max_running);
  end if;
  if v_new.is_fair <> v_old.is_fair then
    perform regroup_queue(p_queue, v_new.is_fair);
  end if;
  perform note_change('set_queue', 'queue', p_queue, v_before);
end;
$$;
