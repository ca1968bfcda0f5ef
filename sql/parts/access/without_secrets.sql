-- without_secrets() — a JSON value as it may be kept: passwords are ***
--
-- Whatever it is of: values of properties that are named like a secret, the password of
-- a connection string, and what follows the word password in a text.

create or replace function without_secrets(p_value jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return case jsonb_typeof(p_value)
    when 'object' then (
      select coalesce(jsonb_object_agg(key, case
               when key ~* '^(.*[_-])?(password|passwd|pwd|passphrase|api_?key|authorization|credentials?)$' and jsonb_typeof(value) <> 'null'
               then '"***"' else without_secrets(value) end), '{}')
      from jsonb_each(p_value))
    when 'array' then (
      select coalesce(jsonb_agg(without_secrets(value) order by ordinality), '[]')
      from jsonb_array_elements(p_value) with ordinality)
    when 'string' then to_jsonb(
      regexp_replace(regexp_replace(p_value #>> '{}', $re$(://[^:@/\s]*):\S*@$re$, $re$\1:***@$re$, 'g'),
                     $re$(passw(?:or)?d["']?\s*(?:=>|[=:]|\s)\s*)('(?:\\.|''|[^'\\])*'|"(?:\\.|[^"\\])*"|(?:\\.|[^\s\\])+)$re$, $re$\1***$re$, 'gi'))
    else p_value
  end;
end;
$$;
