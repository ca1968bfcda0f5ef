-- fingerprint() — the same for failures that say the same, whatever names and numbers are in them

create or replace function fingerprint(p_code text, p_message text)
  returns text
  language sql
  immutable
as $$
  select lpad(to_hex(hashtextextended(
    concat_ws(E'\n', p_code, normal_message(p_message)) collate "C", 0)), 16, '0');
$$;
