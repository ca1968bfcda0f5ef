-- What the engine tells task tables.

do $$
begin
  if exists (
    select from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where tgrelid = event_table('task ended') and tgname = 'pg_task_text'
      and pronamespace <> quote_ident(current_schema())::regnamespace
  ) then
    perform refuse('TK004', 'pg-task is already installed over this engine in another schema',
                   'Create the task table there, or drop that schema first.');
  end if;
end $$;

-- The conditions are looked at for every task that ends, so they are cheap.
select attach_trigger(
  'task ended', 'pg_task_text', 'before',
  $$new.kind = 'sql' and new.queue ^@ 'pg_task:' and new.meta ? 'pg_task'$$,
  'shorten_story()');

-- At commit, after everything else that ends a task.
select attach_trigger(
  'task ended', 'pg_task_end', 'at commit',
  $$new.kind = 'sql' and new.queue ^@ 'pg_task:' and new.meta ? 'pg_task'$$,
  'task_ended()');

select attach_trigger('sql began', 'pg_task_begin', 'after', 'true', 'task_began()');

select attach_trigger('attempt failed', 'pg_task_loss', 'after', $$new.reason = 'lost'$$, 'task_lost()');

create or replace trigger check_default before insert or update on defaults
  for each row execute function check_default();
