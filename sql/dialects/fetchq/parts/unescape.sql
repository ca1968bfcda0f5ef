-- unescape() — an argument as its sender means it; see keeps_quotes()

create or replace function unescape(p_text text, p_keeps_quotes boolean)
  returns text
  language sql
  immutable
as $$
  select case when p_keeps_quotes then p_text else replace(p_text, '''''', '''') end;
$$;

create or replace function unescape(p_json jsonb, p_keeps_quotes boolean)
  returns jsonb
  language sql
  immutable
as $$
  select case
    when p_keeps_quotes or strpos(p_json::text, '''''') = 0 then p_json
    else replace(p_json::text, '''''', '''')::jsonb
  end;
$$;
