-- Examples of the SQL reference. A test runs each of them.

-- follow
select after, since, until from tusk.follow('1 minute');

-- read_events
select id, at, event, task, queue from tusk.read_events(p_after => 4711, p_queue => 'mail');
