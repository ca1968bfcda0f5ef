-- Examples of the SQL reference. A test runs each of them.

-- pause_group
select tusk.pause_group('customer 7');

-- repair_limits
select group_name, counted, actual, freed from tusk.repair_limits();

-- resume_group
select tusk.resume_group('customer 7');

-- set_group
select tusk.set_group('customer 7', '{"max_running": 2, "rate": 100, "rate_window": "1 minute"}');
