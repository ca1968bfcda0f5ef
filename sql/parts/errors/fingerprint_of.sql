-- fingerprint_of() — by which group of failures an error is known

create or replace function fingerprint_of(p_error jsonb)
  returns text
  language sql
  immutable
as $$
  select fingerprint(error_code(p_error), normal_message(error_message(p_error)));
$$;
