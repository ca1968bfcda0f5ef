-- fingerprint() — the same for failures of one code and one normal message; see normal_message()

create or replace function fingerprint(p_code text, p_message text)
  returns text
  language sql
  immutable
as $$
  select lpad(to_hex(hashtextextended(concat_ws(E'\n', p_code, p_message) collate "C", 0)), 16, '0');
$$;
