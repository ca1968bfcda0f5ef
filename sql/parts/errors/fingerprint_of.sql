-- fingerprint_of() — the same for errors that say the same, whatever names and numbers are in them

create or replace function fingerprint_of(p_error jsonb)
  returns text
  language sql
  immutable
as $$
  select lpad(to_hex(hashtextextended(
    concat_ws(E'\n', error_code(p_error), normal_message(error_message(p_error))) collate "C", 0)), 16, '0');
$$;
