-- What KEDA may see: how many tasks of each queue are due or running, 10,000 at most of those that are due. Run it as a
-- login that has tusk_operator, in the database of Tusk; put the schema's name in if it is not tusk.
create view tusk_depth as select queue, due + running as tasks from tusk.queue_stats;
create role tusk_keda login;
grant select on tusk_depth to tusk_keda;
-- Then: \password tusk_keda
