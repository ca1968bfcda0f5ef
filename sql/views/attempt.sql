-- attempt — every attempt that did not succeed, with its error; of tasks that the reader may operate

create view attempt as
  select task, iteration, attempt, reason, worker, started_at, ended_at, ended_at - started_at as took, error
  from attempts
  where (select not has_grants from queues where name = '*')
    or exists (select from task as shown where shown.id = attempts.task);
