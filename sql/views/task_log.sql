-- task_log — the lines that tasks wrote while they ran

create view task_log as
  select task, attempt, at, level, message
  from logs;
