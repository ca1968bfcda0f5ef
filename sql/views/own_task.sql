-- own_task — the tasks that the reader has enqueued; all that a producer may see
--
-- The role is spelled out, as submitter() has it: a reader of a view needs the
-- right to every function it calls, and producers have none but to enqueue.

create view own_task as
  select *
  from task
  where submitted_by = coalesce(nullif(current_setting('role', true), 'none'), session_user);
