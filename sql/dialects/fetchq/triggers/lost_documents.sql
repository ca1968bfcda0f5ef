-- Orphans and the dead are found by the engine's own chore as well as by mnt_*; the
-- counters and notifications of a queue must not depend on who came first.

create or replace function count_lost()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues;
  v_lost  record;
  v_event text;
begin
  select live_task.queue, live_task.key, live_task.attempt, live_task.max_attempts, task_claim.expires_at into v_lost
  from live_task
  left join task_claim on task_claim.id = live_task.claim
  where live_task.id = new.task and live_task.kind = 'document';
  select * into v_queue from queues where name = v_lost.queue;
  if not found then
    return null;
  end if;
  v_event := case when v_lost.attempt < coalesce(v_lost.max_attempts, v_queue.max_attempts) then 'pnd' else 'kll' end;
  if v_event = 'kll' then
    perform note_round(new.task, 0, null, v_lost.expires_at);
  end if;
  perform tally(v_queue.name, array['err', 'orp', 'act', v_event], '{1,1,-1,1}');
  perform tell(v_queue, v_event, v_lost.key);
  return null;
end;
$$;

-- Named after this schema: another dialect over the same engine has its own.
select attach_trigger(
  'attempt failed', current_schema() || '_count_lost', 'after', 'new.reason = ''lost''', 'count_lost()');
