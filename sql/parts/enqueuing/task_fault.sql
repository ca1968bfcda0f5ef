-- task_fault() — what is wrong with a task that is to be enqueued; null when nothing is
--
-- One expression, so that Postgres inlines it into the statement that checks a
-- whole bulk.

create or replace function task_fault(
  p_queue text, p_payload jsonb, p_kind text, p_handler text, p_priority integer, p_version integer, p_run_at timestamptz,
  p_deadline timestamptz, p_key text, p_on_duplicate text, p_window interval, p_max_attempts integer,
  p_max_running integer, p_timeout interval, p_retention interval, p_now timestamptz
)
  returns text
  language sql
  stable
as $$
  select case
    when coalesce(p_queue, '') = '' then 'it names no queue'
    when p_queue = '*' or left(p_queue, 1) = '@' or length(p_queue) > bound('name')
      then format('queue %L must have at most %s characters, not be * and not begin with @', left(p_queue, 300), bound('name'))
    when p_payload is null then 'it has no payload'
    when p_kind not in ('sql', 'handler', 'document')
      then format('kind %L is unknown; use sql, handler or document', p_kind)
    when p_handler = '' then 'its handler has no name'
    when length(p_handler) > bound('name')
      then format('the name of its handler has %s characters, at most %s can be stored', length(p_handler), bound('name'))
    when p_version < 0 then format('version %s is negative', p_version)
    when not isfinite(p_run_at) then 'run_at must be a point in time'
    when p_deadline <= coalesce(p_run_at, p_now)
      then format('its deadline %s is over before it may run', p_deadline)
    when p_key = '' or length(p_key) > bound('key') then format('a key has 1 to %s characters', bound('key'))
    when octet_length(p_key) > bound('index') then format('its key has %s bytes, at most %s can be stored', octet_length(p_key), bound('index'))
    when p_on_duplicate not in ('keep', 'replace', 'debounce', 'throttle')
      then format('on_duplicate %L is unknown; use keep, replace, debounce or throttle', p_on_duplicate)
    when p_on_duplicate is not null and p_key is null then 'on_duplicate needs a key'
    when p_on_duplicate in ('debounce', 'throttle') and coalesce(p_window, interval '0') <= interval '0'
      then format('%s needs a window such as ''1 minute''', p_on_duplicate)
    when p_max_attempts < 1 then 'max_attempts must be 1 or more'
    when p_max_running < 1 then 'max_running must be 1 or more'
    when p_timeout <= interval '0' then 'timeout must be longer than nothing'
    when p_retention < interval '0' then 'retention must not be negative'
    -- What ends a task adds it to the time, and would find that the calendar is over.
    when greatest(p_retention, p_window) > interval '1000 years' then 'retention and window must be 1000 years or less'
  end;
$$;
