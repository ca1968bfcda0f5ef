-- The view that KEDA reads: how many tasks of each queue are due or running. It counts at most 10,000 due tasks. Run this
-- as a login that has tusk_operator, in the database of Tusk. If the schema is not tusk, change its name below.
create view tusk_depth as select queue, due + running as tasks from tusk.queue_stats;
create role tusk_keda login;
grant select on tusk_depth to tusk_keda;
-- Then: \password tusk_keda
