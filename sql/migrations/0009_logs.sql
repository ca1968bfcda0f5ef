-- The order in which lines were written: who follows a task asks for those after the last it saw.
-- Times do not tell, for executors may bring their own.
alter table logs add column id bigint generated always as identity;

-- Read by whoever looks at one task, and by sweep().
drop index logs_of_task;
create index logs_of_task on logs (task, id);
