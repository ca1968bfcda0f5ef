-- signal(): waiting → queued, if it waits for this; else the signal is kept
--
--   select signal(42, 'paid', '{"by": "ada"}');
--
-- A task receives signals of one name in the order in which they came, each once, also those that
-- came before it waited. To signal a task you need the right to enqueue into its queue. Answers with
-- the id of the signal.

create or replace function signal(p_id bigint, p_name text, p_payload jsonb default 'null')
  returns bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_id bigint;
begin
  if p_id is null then
    perform refuse_unknown(p_id);
  end if;
  perform require_tasks('enqueue', array[p_id]);
  perform check_name('a signal', p_name);
  perform check_size('checkpoint', 'the payload of the signal', p_payload);
  perform split_live_packs(array[p_id]);
  insert into signals (task, name, sent_by, payload)
  values (p_id, p_name, submitter(), coalesce(p_payload, 'null'))
  returning id into v_id;
  perform require_state(p_id, wake_for_signal(p_id, p_name), 'signalled', 'queued, waiting or running');
  perform audit_action('signal', 'task ' || p_id, null, jsonb_build_object('name', p_name));
  return v_id;
end;
$$;

-- signal(): the same, to the task that has a key, or will have it
--
--   select signal('orders', 'order 17', 'paid', '{"by": "ada"}');
--
-- If no live task has the key, the signal is kept for p_keep: the next task of that key receives it.

create or replace function signal(
  p_queue text, p_key text, p_name text, p_payload jsonb default 'null', p_keep interval default '7 days'
)
  returns bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_now  timestamptz := clock_timestamp();
  v_id   bigint;
  v_task bigint;
begin
  perform check_queue(p_queue);
  if has_grants() then
    perform require_queues('enqueue', array[p_queue]);
  end if;
  perform check_name('a signal', p_name);
  perform check_size('checkpoint', 'the payload of the signal', p_payload);
  if coalesce(length(p_key), 0) not between 1 and bound('key') or octet_length(p_key) > bound('index') then
    perform refuse('TK004', format('a key has 1 to %s characters', bound('key')), 'Nothing was sent.');
  end if;
  if p_keep is null or p_keep <= interval '0' or p_keep > interval '1000 years' then
    perform refuse('TK004', format('a signal cannot be kept for %s', coalesce(p_keep::text, 'null')),
                   'Give an interval such as ''7 days''.');
  end if;
  insert into signals (queue, key, name, sent_by, payload, keep_until)
  values (p_queue, p_key, p_name, submitter(), coalesce(p_payload, 'null'), v_now + p_keep)
  returning id into v_id;
  -- Looked for only now: a task that comes meanwhile finds the signal, or its note.
  select keys.task into v_task from keys join tasks on tasks.id = keys.task
  where keys.queue = p_queue and keys.key = p_key;
  if v_task is null then
    insert into wake_notes (queue, key) values (p_queue, p_key);
  else
    perform wake_for_signal(v_task, p_name);
  end if;
  perform audit_action('signal', 'key ' || p_key || ' of queue ' || p_queue, null,
                       jsonb_build_object('name', p_name));
  return v_id;
end;
$$;

-- wake_for_signal() — wakes a task that waits for a signal of this name; false when there is no live task

create or replace function wake_for_signal(p_id bigint, p_name text)
  returns boolean
  language plpgsql
as $$
declare
  v_locked record := lock_waiter(p_id);
begin
  if v_locked.is_held then
    insert into wake_notes (task) values (p_id);
    return true;
  end if;
  if (v_locked.task).id is null then
    return false;
  end if;
  if (v_locked.task).claim is null and (v_locked.task).waits -> 'signals' ? p_name then
    perform wake_tasks(array[p_id]);
  else
    perform record_events('signal', array[p_id], array[(v_locked.task).queue]);
  end if;
  return true;
end;
$$;
