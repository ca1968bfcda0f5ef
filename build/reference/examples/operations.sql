-- Examples of the SQL reference. A test runs each of them.

-- advance_operation
select state, matched, done
from tusk.advance_operation(tusk.start_operation('retry', '{"queue": "mail", "states": ["failed"]}'));

-- cancel_operation
select tusk.cancel_operation(tusk.start_operation('cancel', '{"queue": "mail"}'));

-- count_operation
select count, exact from tusk.count_operation('retry', '{"queue": "mail"}');

-- start_operation
select tusk.start_operation('amend', '{"tag": "slow"}', '{"changes": {"priority": -5}}');
