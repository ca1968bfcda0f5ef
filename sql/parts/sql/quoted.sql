-- quoted() — a value between quotes, with an escape before quotes and escapes in it

create or replace function quoted(p_text text, p_quote text, p_escape text)
  returns text
  language sql
  immutable
as $$
  select case
    when p_quote = '' then p_text
    when p_escape = '' then p_quote || p_text || p_quote
    when p_quote = p_escape then p_quote || replace(p_text, p_quote, p_quote || p_quote) || p_quote
    else p_quote
      || replace(replace(p_text, p_escape, p_escape || p_escape), p_quote, p_escape || p_quote)
      || p_quote
  end;
$$;
