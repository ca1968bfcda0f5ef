-- install_begin() — refuses what must not be touched, then takes the locks the run needs
--
-- p_manifest is every file of this version with its hash. A migration pending may
-- change any table, and a column's type only when no view reads it; so it takes
-- all tables and takes the views down. Functions are replaced without a lock.

create or replace procedure install_begin(p_manifest jsonb)
  language plpgsql
  set search_path from current
as $$
declare
  v_unknown text;
  v_edited  text;
  v_tables  boolean;
  v_views   boolean;
begin
  select string_agg(path, ', ' order by path) filter (where not p_manifest ? path),
         string_agg(path, ', ' order by path) filter (where p_manifest ->> path <> hash)
  into v_unknown, v_edited
  from installed
  where path ^@ 'migrations/';

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

  select coalesce(bool_or(path ^@ 'migrations/' or path ^@ 'triggers/'), false),
         coalesce(bool_or(path ^@ 'migrations/' or path ^@ 'views/'), false)
  into v_tables, v_views
  from install_changes(p_manifest);

  perform install_lock(v_tables, v_views);
  if v_views then
    perform install_drop_views();
  end if;
end;
$$;
