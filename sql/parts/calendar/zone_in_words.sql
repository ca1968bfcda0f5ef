-- zone_in_words() — the end of a sentence about a zone; nothing for UTC

create or replace function zone_in_words(p_zone text)
  returns text
  language plpgsql
  stable
as $$
begin
  return case p_zone when 'UTC' then '' else format(' (%s)', p_zone) end;
end;
$$;
