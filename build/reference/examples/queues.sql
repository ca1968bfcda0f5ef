-- Examples of the SQL reference. A test runs each of them.

-- create_document_index
select tusk.create_document_index('orders');

-- drop_document_index
select tusk.drop_document_index('orders');

-- explain_queues
select queue, code, message, hint from tusk.explain_queues('{mail}');

-- find_documents
select * from tusk.task where id = any (array(select tusk.find_documents('orders', '{"customer": 7}')));

-- handler_stats
select handler, done, failed, run_p95 from tusk.handler_stats(now() - interval '1 hour');

-- pause
select tusk.pause('mail');

-- pulses
select queue, done from tusk.pulses(60);

-- read_settings
select setting, value, source from tusk.read_settings('mail');

-- resume
select tusk.resume('mail');

-- roll_up
select tusk.roll_up();

-- series
select at, done, failed, run_p95 from tusk.series('mail', now() - interval '1 hour', now(), 60);

-- set_queue
select tusk.set_queue('mail', '{"max_running": 10, "max_attempts": 3, "keep_done": "1 day"}');
