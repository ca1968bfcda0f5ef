-- own_task — the tasks that the reader has enqueued; all that a producer may see
--
-- The reader is current_user, which a view takes from the statement that reads it. So
-- code that runs with the rights of its owner, in a session of another role, sees the owner's
-- tasks. A barrier: no condition of the reader's is asked about a task before it is
-- known to be its own.

create view own_task with (security_barrier) as
  select *
  from stored_task
  where submitted_by = current_user;
