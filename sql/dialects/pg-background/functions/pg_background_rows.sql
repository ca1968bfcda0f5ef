-- pg_background_rows() — as pg_background_result(), each row an object: no column list is needed
--
--   select value ->> 'name' from pg_background_rows(17) as value;
--
-- Values of types that another role made are text: background_plain_types() says why.

create or replace function pg_background_rows(pid bigint, cookie bigint default null)
  returns setof jsonb
  language plpgsql
  set search_path from current
as $$
declare
  v_result jsonb := background_result(pid, cookie);
  v_before text;
begin
  if v_result is null then
    return;
  end if;
  v_result := background_plain_types(v_result);
  v_before := background_read_as(v_result ->> 'style');
  return query execute format('select to_jsonb(made) from (%s) as made', background_rows(v_result)) using v_result;
  perform background_read_as(v_before);
end;
$$;
