-- What happens when a task of a task table ends. The conditions are looked at for
-- every task that ends, so they are cheap, and few tasks of others pass the first.

do $$
begin
  if exists (
    select from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where tgrelid = 'finished'::regclass and tgname = 'pg_task_text'
      and pronamespace <> quote_ident(current_schema())::regnamespace
  ) then
    perform refuse('TK004', 'another schema speaks pg-task over this engine already',
                   'Make a task table there, or drop that schema first.');
  end if;
end $$;

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
        and (new.meta #>> '{pg_task,repeat}' not in ('00:00:00', '0') or new.meta #>> '{pg_task,max}' like '-%'))
  execute function follow_up();
