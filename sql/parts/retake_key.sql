-- retake_key() — gives a task that comes back its key again, if nobody else has it

create or replace function retake_key(p_task finished, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_holder bigint;
begin
  insert into keys (queue, key, task) values (p_task.queue, p_task.key, p_task.id)
  on conflict (queue, key) do update
    set task  = excluded.task,
        until = excluded.until
    where keys.task = excluded.task
       or (keys.until <= p_now and not exists (select from tasks where id = keys.task));

  if not found then
    select task into v_holder from keys where queue = p_task.queue and key = p_task.key;
    perform refuse('TK006', format('the key %s of task %s is held by task %s', p_task.key, p_task.id, v_holder),
                   'Wait for that task to end, or cancel it first.');
  end if;
end;
$$;
