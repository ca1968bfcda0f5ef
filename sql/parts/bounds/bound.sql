-- bound() — how large a value may be that callers have stored
--
-- The one place that states it; docs/reference/limits.md lists it. Names, keys and tags
-- are counted in characters. `index` is in bytes, for groups and keys: a row of an index
-- has room for 2,704, and the longest holds a queue of 200 characters, 4 bytes each, and a
-- group or a key. JSON is counted in bytes, as Postgres has it in memory. What payloads
-- may have is a setting of their queue.
--
-- A single expression, so Postgres inlines it and keeps the number in the plan.

create or replace function bound(p_of text)
  returns integer
  language sql
  immutable
as $$
  select case p_of
    when 'name' then 200
    when 'chore' then 100
    when 'key' then 500
    when 'index' then 1800
    when 'group' then 2000
    when 'groups' then 10
    when 'tag' then 200
    when 'tags' then 100
    when 'host' then 500
    when 'level' then 50
    when 'line' then 4000
    when 'meta' then 65536
    when 'state' then 65536
    when 'settings' then 1048576
    when 'error' then 1048576
    when 'progress' then 8388608
    when 'output' then 16777216
    when 'queues' then 10000
    when 'bulk' then 100000
    when 'lanes' then 1000
  end;
$$;
