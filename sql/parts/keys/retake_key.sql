-- retake_key() — gives a task that comes back its key again, if nobody else has it
--
-- Whether the holder lives is asked by a statement of its own, with the key held:
-- the one that met the key may be too old to see the task that has just taken it.

create or replace function retake_key(p_task finished, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_held keys;
begin
  loop
    insert into keys (queue, key, task) values (p_task.queue, p_task.key, p_task.id) on conflict (queue, key) do nothing;
    exit when found;
    select * into v_held from keys where queue = p_task.queue and key = p_task.key for no key update;
    continue when not found;

    if v_held.task <> p_task.id and (v_held.until > p_now or exists (select from tasks where id = v_held.task)) then
      perform refuse('TK006', format('the key %s of task %s is held by task %s', p_task.key, p_task.id, v_held.task),
                     'Wait for that task to end, or cancel it first.');
    end if;
    update keys set task = p_task.id, until = default where queue = p_task.queue and key = p_task.key;
    exit;
  end loop;
end;
$$;
