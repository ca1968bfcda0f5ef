-- install_check() — rejects a schema that is newer than these files, and edited files that are applied once

create or replace function install_check()
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_unknown text;
  v_edited  text;
begin
  select string_agg(old.path, ', ' order by old.path) filter (where new.path is null),
         string_agg(old.path, ', ' order by old.path) filter (where new.hash <> old.hash)
  into v_unknown, v_edited
  from installed old
  left join install_files new on new.path = old.path
  where install_applies_once(old.path);

  if v_unknown is not null then
    raise exception sqlstate 'TK012' using
      message = format('schema %I is newer than this version of Tusk: it has %s', current_schema(), v_unknown),
      hint    = 'Upgrade pgtusk here to the version that migrated this schema, or name another schema.';
  end if;

  if v_edited is not null then
    raise exception sqlstate 'TK011' using
      message = format('%s was edited after it had been applied to schema %I', v_edited, current_schema()),
      hint    = 'Restore the file as it was released and put the change into a new migration.';
  end if;
end;
$$;
