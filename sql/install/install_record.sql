-- install_record() — writes down what each file made, and drops what none makes any more

create or replace function install_record()
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_before text[];
begin
  v_before := array(
    select object
    from installed, unnest(creates) as object
    where applied_at = now() or path not in (select path from install_files)
  );

  delete from installed
  where path not in (select path from install_files);

  -- A file and its row were written by one subtransaction, hence the join on xmin.
  with objects as (
    select 'routine ' || oid::regprocedure as name, xmin
    from pg_proc
    where pronamespace = quote_ident(current_schema())::regnamespace
    union all
    select 'view ' || oid::regclass, xmin
    from pg_class
    where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'v'
    union all
    select format('trigger %I on %s', tgname, tgrelid::regclass), t.xmin
    from pg_trigger t
    join pg_class on pg_class.oid = tgrelid
    where relnamespace = quote_ident(current_schema())::regnamespace and not tgisinternal and tgparentid = 0
  ),
  made as (
    select path, array_remove(array_agg(name order by name), null) as creates
    from installed
    left join objects on objects.xmin = installed.xmin
    where applied_at = now() and not install_applies_once(path)
    group by path
  )
  update installed
  set creates = made.creates
  from made
  where made.path = installed.path;

  perform install_drop(array(
    select object
    from unnest(v_before) as object
    where not exists (select from installed where object = any (creates))
  ));
end;
$$;
