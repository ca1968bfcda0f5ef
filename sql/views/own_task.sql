-- own_task — the tasks that the reader has enqueued; all that a producer may see
--
-- The role is spelled out, as submitter() has it: a reader of a view needs the
-- right to every function it calls, and producers have none but to enqueue. A barrier:
-- no condition of the reader's is asked about a task before it is known to be its own.

create view own_task with (security_barrier) as
  select *
  from task
  where submitted_by = coalesce(nullif(current_setting('role', true), 'none'), session_user);
