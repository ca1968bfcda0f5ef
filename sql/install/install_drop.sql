-- install_drop() — drops objects by the words in installed.creates
--
-- What rests on another goes first; views, and functions, go in one statement each,
-- because they may rest on one another.

create or replace function install_drop(p_objects text[])
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_object text;
  v_kind   text;
  v_list   text;
begin
  foreach v_object in array p_objects loop
    if v_object ^@ 'trigger ' then
      execute 'drop trigger if exists ' || substr(v_object, length('trigger ') + 1);
    end if;
  end loop;

  select string_agg(substr(object, length('view ') + 1), ', ')
  into v_list
  from unnest(p_objects) as object
  where object ^@ 'view ';
  if v_list is not null then
    execute 'drop view if exists ' || v_list;
  end if;

  -- Not "drop routine": that reads OUT arguments too, and may then mean two overloads.
  for v_kind, v_list in
    select case prokind when 'p' then 'procedure' else 'function' end, string_agg(pg_proc.oid::regprocedure::text, ', ')
    from unnest(p_objects) as object
    join pg_proc on pg_proc.oid = to_regprocedure(substr(object, length('routine ') + 1))
    where object ^@ 'routine ' and pronamespace = quote_ident(current_schema())::regnamespace
    group by 1
  loop
    execute format('drop %s %s', v_kind, v_list);
  end loop;
end;
$$;
