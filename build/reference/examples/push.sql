-- Examples of the SQL reference. A test runs each of them.

-- read_push
select queue, url, timeout_ms from tusk.read_push('{mail}');

-- set_push
select tusk.set_push('mail', '{
  "url": "https://example.org/tasks", "secrets": [{"env": "TUSK_SECRET_PUSH"}], "timeout": "30 seconds"}');
