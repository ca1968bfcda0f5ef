-- install_run() — brings the schema to the version in install_files
--
-- All that is decided is decided here and below: which files are new, what must not
-- be touched, which locks are taken, what goes, and who may do what.

create or replace procedure install_run()
  language plpgsql
  set search_path from current
as $$
declare
  v_file install_files;
begin
  perform install_check();
  if not exists (select from install_changes()) then
    return;
  end if;

  if install_lock() then
    perform install_drop_views();
  end if;
  for v_file in select * from install_files where path <> 'grants.sql' order by position loop
    perform install_file(v_file);
  end loop;
  perform install_record();
  perform install_roles();
  perform install_access();
end;
$$;
