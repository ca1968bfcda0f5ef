-- For whom a call acts, and what of a value the audit may keep.

-- has_audit_caller() — whether a door acts for a caller in this transaction
--
-- One expression, so that Postgres inlines it.

create or replace function has_audit_caller()
  returns boolean
  language sql
  stable
as $$
  select coalesce(current_setting('tusk.caller', true), '') <> '';
$$;

-- read_caller() — for whom a door acts in this transaction; null when it names no caller

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
    perform refuse('TK004', 'the setting tusk.caller is invalid',
                   'Write {"actor": "ada", "door": "http", "token": 7, "address": "::1", "request": "…"}.');
  end if;
  return v_caller;
end;
$$;

-- strip_payload() — a task, or the template of one, for the audit: without what it carries
--
-- Payload and meta may hold anything, secrets of any name too, and the audit outlives the
-- task. Given p_before, it says of each of them that it was changed, if it was.

create or replace function strip_payload(p_task jsonb, p_before jsonb default null)
  returns jsonb
  language sql
  immutable
as $$
  select p_task - '{payload,meta}'::text[] || coalesce((
    select jsonb_object_agg(name, 'changed')
    from unnest('{payload,meta}'::text[]) as name
    where p_before is not null and p_task -> name is distinct from p_before -> name), '{}');
$$;

-- redact_secrets() — a JSON value as it may be kept: passwords are ***
--
-- Whatever it is of: values of properties that are named like a secret, the password of
-- a connection string, and what follows the word password in a text.

create or replace function redact_secrets(p_value jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return case jsonb_typeof(p_value)
    when 'object' then (
      select coalesce(jsonb_object_agg(key, case
               when key ~* '^(.*[_-])?(password|passwd|pwd|passphrase|api_?key|authorization|credentials?)$'
                 and jsonb_typeof(value) <> 'null'
               then '"***"' else redact_secrets(value) end), '{}')
      from jsonb_each(p_value))
    when 'array' then (
      select coalesce(jsonb_agg(redact_secrets(value) order by ordinality), '[]')
      from jsonb_array_elements(p_value) with ordinality)
    when 'string' then to_jsonb(
      regexp_replace(
        regexp_replace(p_value #>> '{}', $re$(://[^:@/\s]*):\S*@$re$, $re$\1:***@$re$, 'g'),
        $re$(passw(?:or)?d["']?\s*(?:=>|[=:]|\s)\s*)('(?:\\.|''|[^'\\])*'|"(?:\\.|[^"\\])*"|(?:\\.|[^\s\\])+)$re$,
        $re$\1***$re$, 'gi'))
    else p_value
  end;
end;
$$;
