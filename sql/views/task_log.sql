-- task_log — the lines that tasks wrote while they ran; id tells their order

create view task_log as
  select id, task, attempt, at, level, message
  from logs;
