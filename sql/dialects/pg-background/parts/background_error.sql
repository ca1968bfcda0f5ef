-- background_error() — what went wrong with a task, in the fields of a Postgres error; null when nothing did
--
-- Failures that no server spoke of have no SQLSTATE of their own and are given one.

create or replace function background_error(p_state text, p_reason text, p_error jsonb)
  returns pg_background_error
  language sql
  immutable
as $$
  select case
    when p_state = 'cancelled' then
      row('57014', 'the background task was cancelled', null, null, null, null, null, null, null)::pg_background_error
    when p_state = 'failed' then row(
      case
        when p_error ->> 'code' ~ '^[0-9A-Z]{5}$' then p_error ->> 'code'
        when p_reason = 'lost' or p_error ->> 'code' like 'connection%' then '08006'
        when p_reason = 'timeout' then '57014'
        else 'XX000'
      end,
      coalesce(p_error ->> 'message', 'the background task failed: ' || p_reason),
      p_error ->> 'detail', p_error ->> 'hint', p_error ->> 'where', p_error ->> 'schema', p_error ->> 'table',
      p_error ->> 'column', p_error ->> 'constraint')::pg_background_error
  end;
$$;
