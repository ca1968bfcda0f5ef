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

  foreach v_kind in array array['view ', 'function ', 'procedure '] loop
    select string_agg(substr(object, length(v_kind) + 1), ', ')
    into v_list
    from unnest(p_objects) as object
    where object ^@ v_kind;

    if v_list is not null then
      execute 'drop ' || v_kind || 'if exists ' || v_list;
    end if;
  end loop;
end;
$$;
