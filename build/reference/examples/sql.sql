-- Examples of the SQL reference. A test runs each of them.

-- allow_sql
select tusk.allow_sql('tusk_producer', 'tusk_producer');

-- forbid_sql
select tusk.forbid_sql('tusk_producer');

-- hide_password
select tusk.hide_password('sql', '{"sql": "select 1", "connection": "postgres://ada:secret@db/shop"}');

-- output_as_text
select tusk.output_as_text(output, '{"delimiter": ",", "quote": "\"", "escape": "\""}') from tusk.task where id = 44;

-- read_connection
select options, secret from tusk.read_connection('reports');

-- read_statement
select sql, params, role from tusk.read_statement('settle');

-- report_sql
select tusk.report_sql(array_agg(id), array_agg(claim), array[pg_backend_pid()], '{null}') from tusk.claim('mail');

-- set_connection
select tusk.set_connection('reports', '{
  "host": "reports.example.org", "dbname": "reports", "user": "tusk", "secret": {"env": "TUSK_SECRET_REPORTS"}}');

-- set_statement
select tusk.set_statement('settle', '{"sql": "update payments set is_settled = true where account_id = $1", "params": ["account"]}');

-- set_trigger
select tusk.set_statement('settle', '{"sql": "update payments set is_settled = true where account_id = $1", "params": ["account"]}');
select tusk.set_trigger('payments', 'settle', '{
  "on": ["insert"], "statement": "settle", "params": {"account": "account_id"}, "key": ["account_id"]}');

-- sql
select tusk.sql('vacuum payments', p_run_at => now() + interval '1 hour', p_timeout => '10 minutes');

-- statement
select tusk.set_statement('settle', '{"sql": "update payments set is_settled = true where account_id = $1", "params": ["account"]}');
select tusk.statement('settle', '{"account": 7}');
