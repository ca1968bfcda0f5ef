-- background_open_procedures() — lets producers call the procedures; grant_verb() is for functions

create or replace function background_open_procedures()
  returns void
  language plpgsql
as $$
declare
  v_procedure regprocedure;
begin
  for v_procedure in
    select oid
    from pg_catalog.pg_proc
    where pronamespace = quote_ident(current_schema())::regnamespace and prokind = 'p' and proname ^@ 'pg_background_'
      and install_role('producer') is not null
  loop
    execute format('grant execute on procedure %s to %I', v_procedure, install_role('producer'));
  end loop;
end;
$$;
