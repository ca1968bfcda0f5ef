-- quoted() — a value between quotes; with an escape, quotes and escapes inside are marked by it

create or replace function quoted(p_value text, p_quote text, p_escape text)
  returns text
  language sql
  immutable
as $$
  select p_quote || case
    when p_escape = '' then p_value
    when p_escape = p_quote then replace(p_value, p_quote, p_escape || p_quote)
    else replace(replace(p_value, p_escape, p_escape || p_escape), p_quote, p_escape || p_quote)
  end || p_quote;
$$;
