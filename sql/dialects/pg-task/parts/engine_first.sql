-- engine_first() — lets functions of the dialect call parts of the engine as the verbs do
--
-- Parts look up names, and name channels, by the schema that comes first.

create or replace function engine_first(variadic p_functions text[])
  returns void
  language plpgsql
as $$
declare
  v_function regprocedure;
begin
  for v_function in
    select oid from pg_proc where pronamespace = quote_ident(current_schema())::regnamespace and proname = any (p_functions)
  loop
    execute format('alter function %s set search_path = %I, %I, pg_temp', v_function,
                   (select engine_schema from installed_dialect), current_schema());
  end loop;
end;
$$;
