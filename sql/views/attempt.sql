-- attempt — every attempt that did not succeed, with its error

create view attempt as
  select task, iteration, attempt, reason, worker, started_at, ended_at, ended_at - started_at as took, error
  from attempts;
