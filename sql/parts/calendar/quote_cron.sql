-- quote_cron() — a cron expression as messages show it: on one line, not too long

create or replace function quote_cron(p_text text)
  returns text
  language plpgsql
  stable
as $$
declare
  v_text text := btrim(regexp_replace(left(p_text, 1001), '[[:space:]]+', ' ', 'g'));
begin
  return '"' || case when length(v_text) > 60 then left(v_text, 57) || '...' else v_text end || '"';
end;
$$;
