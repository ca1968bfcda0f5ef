-- error_message() — what an error says, in one text

create or replace function error_message(p_error jsonb)
  returns text
  language sql
  immutable
as $$
  select case
    when jsonb_typeof(p_error) = 'object' then coalesce(p_error ->> 'message', p_error::text)
    else p_error #>> '{}'
  end;
$$;
