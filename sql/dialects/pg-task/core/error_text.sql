-- Errors as Postgres would log them.

-- error_text() — an error in the lines of the server's log, as pg_task writes it
--
-- How much of it is for log_error_verbosity and log_min_error_statement to say. An
-- error of the connection is worded as users of libpq know it; the statement did not
-- come into it.

create or replace function error_text(p_error jsonb, p_input text)
  returns text
  language plpgsql
  stable
as $$
declare
  c_connection constant jsonb := '{
    "connection_failed": "PQconnectPoll failed",
    "connection_lost": "PQstatus == CONNECTION_BAD",
    "connection_string_invalid": "PQconninfoParse failed"
  }';
  c_silent     constant text[] := '{log,fatal,panic}';
  v_verbosity text := current_setting('log_error_verbosity');
  v_known     text := c_connection ->> (p_error ->> 'code');
  v_position  text := coalesce(p_error ->> 'position', p_error ->> 'internal_position');
  v_lines     text[];
begin
  if p_error is null then
    return null;
  end if;
  if v_known is not null then
    return concat('ERROR:  ', v_known, e'\nDETAIL:  ', replace(p_error ->> 'message', e'\n', e'\n\t'));
  end if;
  v_lines := array[concat(
    coalesce(p_error ->> 'severity', 'ERROR'), ':  ',
    case when v_verbosity = 'verbose' and p_error ? 'routine' then (p_error ->> 'code') || ': ' end,
    p_error ->> 'message',
    ' at character ' || v_position)];
  if v_verbosity <> 'terse' then
    v_lines := v_lines || array[
      'DETAIL:  ' || (p_error ->> 'detail'),
      'HINT:  ' || (p_error ->> 'hint'),
      'QUERY:  ' || (p_error ->> 'internal_query'),
      'CONTEXT:  ' || (p_error ->> 'where')];
  end if;
  if v_verbosity = 'verbose' then
    v_lines := v_lines || format('LOCATION:  %s, %s:%s', p_error ->> 'routine', p_error ->> 'file', p_error ->> 'line');
  end if;
  if current_setting('log_min_error_statement') <> all (c_silent) and p_error ? 'statement' then
    v_lines := v_lines || ('STATEMENT:  ' || p_input);
  end if;
  return array_to_string(
    array(select replace(line, e'\n', e'\n\t') from unnest(v_lines) with ordinality as each (line, place)
          where line is not null order by place),
    e'\n');
end;
$$;
