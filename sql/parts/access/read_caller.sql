-- read_caller() — for whom a door acts in this transaction; null when it says nobody

create or replace function read_caller()
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_text   text := nullif(current_setting('tusk.caller', true), '');
  v_caller jsonb;
begin
  if v_text is null then
    return null;
  end if;
  begin
    v_caller := v_text::jsonb;
  exception when data_exception then
    v_caller := '[]';
  end;
  if jsonb_typeof(v_caller) <> 'object' or coalesce(v_caller ->> 'actor', '') = ''
     or v_caller ->> 'token' !~ '^[0-9]{1,18}$' then
    perform refuse('TK004', 'tusk.caller cannot be read', 'Write {"actor": "ada", "door": "http", "token": 7, "address": "::1", "request": "…"}.');
  end if;
  return v_caller;
end;
$$;
