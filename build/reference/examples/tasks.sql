-- Examples of the SQL reference. A test runs each of them. Task 42 waits, 43 has failed, 44 is done.

-- amend
select tusk.amend(42, '{"priority": 5, "run_at": "2030-01-01 09:00+00"}');

-- cancel
select tusk.cancel(42);

-- cancel_many
select tusk.cancel_many(array(select id from tusk.task where queue = 'mail' and state = 'ready'));

-- claim
select id, claim, payload from tusk.claim('mail', 10, p_worker => 'w-1', p_lease => '30 seconds');

-- claim_fitting
select id, claim, payload from tusk.claim_fitting('mail', 100, p_bytes => 1000000);

-- claim_queues
select id, size, queue, claim, payload from tusk.claim_queues('{mail,reports}', 10);

-- complete
select id, tusk.complete(id, claim, '{"message_id": "m-17"}') from tusk.claim('mail');

-- complete_many
select tusk.complete_many(array_agg(id), array_agg(claim)) from tusk.claim('mail', 10);

-- complete_packs
select tusk.complete_packs(array_agg(id), array_agg(size), array_agg(claim)) from tusk.claim_queues('{mail}', 10);

-- count_states
select state, count, exact from tusk.count_states('{"queue": "mail"}');

-- count_tasks
select count, exact from tusk.count_tasks('{"queue": "mail", "states": ["failed"]}');

-- delete
select tusk.delete(44);

-- delete_many
select tusk.delete_many('{43,44}');

-- enqueue
select id, outcome
from tusk.enqueue('mail', '{"to": "ada"}', p_run_at => now() + interval '5 minutes', p_key => 'welcome ada', p_max_attempts => 3);

-- enqueue_many
select id, outcome from tusk.enqueue_many('[
  {"queue": "mail", "payload": {"to": "ada"}},
  {"queue": "mail", "payload": {"to": "bob"}, "priority": 5}
]');

-- expire
select tusk.expire();

-- explain
select code, message, hint from tusk.explain(42);

-- extend
select tusk.extend(array_agg(distinct claim), '1 minute') from tusk.claim('mail', 10);

-- fail
select id, (tusk.fail(id, claim, '{"message": "mailbox full"}', p_delay => '10 minutes')).state from tusk.claim('mail');

-- fail_many
select state, run_at
from (select array_agg(id) as ids, array_agg(claim) as claims from tusk.claim('mail', 10)) as held,
  tusk.fail_many(held.ids, held.claims, p_reasons => null, p_errors => null);

-- kill
select id, tusk.kill(id, claim, '{"message": "no such customer"}') from tusk.claim('mail');

-- kill_running
select id, tusk.kill_running(id, '{"message": "stopped by an operator"}') from tusk.claim('mail');

-- log
select tusk.log(array_agg(id), array_agg(claim), '{info}', '{"connected to the mail server"}') from tusk.claim('mail');

-- lost_holders
select pid, tasks from tusk.lost_holders();

-- move
select tusk.move(42, now() + interval '1 day');

-- next_rescue
select tusk.next_rescue();

-- page_tasks
select * from tusk.task
where id = any ((select ids from tusk.page_tasks('{"queue": "mail", "states": ["failed"]}', p_limit => 50))::bigint[])
order by id desc;

-- progress
select id, tusk.progress(id, claim, '{"percent": 50}') from tusk.claim('mail');

-- read_claim
select holder.queue, worker, expires_at from tusk.claim('mail') as held, tusk.read_claim(held.claim) as holder;

-- reject
select id, (tusk.reject(id, claim, '{"message": "not now"}', p_delay => '1 hour')).state from tusk.claim('mail');

-- release
select tusk.release(array_agg(id), array_agg(claim)) from tusk.claim('mail', 10);

-- reschedule
select id, tusk.reschedule(id, claim, now() + interval '1 day', '{"page": 2}') from tusk.claim('mail');

-- rescue
select id, state from tusk.rescue();

-- rescue_queue
select id, state from tusk.rescue_queue('mail');

-- retry
select tusk.retry(43);

-- rows_of
select * from tusk.task where id = 42 and row_id = any (tusk.rows_of('{42}'));

-- sweep
select tasks, days, more from tusk.sweep();

-- trace_key
select at, queue, task, event from tusk.trace_key('ada');

-- watch
listen "tusk:finished";
select state, output from tusk.watch(42, '1 minute');
