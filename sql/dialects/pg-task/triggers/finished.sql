-- What happens when a task of a task table ends. The conditions are looked at for
-- every task that ends, so they are cheap, and few tasks of others pass the first.

create or replace trigger pg_task_text before insert on finished
  for each row
  when (new.kind = 'sql' and new.queue ^@ 'pg_task:' and new.meta ? 'pg_task')
  execute function keep_text();

drop trigger if exists pg_task_follow_up on finished;

-- At commit, after everything else that ends a task.
create constraint trigger pg_task_follow_up after insert on finished
  deferrable initially deferred
  for each row
  when (new.kind = 'sql' and new.queue ^@ 'pg_task:' and new.meta ? 'pg_task'
        and (new.meta #>> '{pg_task,repeat}' not in ('00:00:00', '0') or (new.meta #>> '{pg_task,max}')::integer < 0))
  execute function follow_up();
