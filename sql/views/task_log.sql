-- task_log — the lines that tasks wrote while they ran; id tells their order; of tasks that the reader may operate

create view task_log as
  select id, task, attempt, at, level, message
  from logs
  where (select not has_grants from queues where name = '*')
    or exists (select from task as shown where shown.id = logs.task);
