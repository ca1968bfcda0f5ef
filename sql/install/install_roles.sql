-- install_roles() — the four roles that people and programs are made members of
--
--   admin > operator > producer, worker
--
-- An operator may do what producers and workers may; those two know nothing of each
-- other. Roles belong to the whole cluster, so another install may make them at the
-- same moment; and making them takes a right that installing does not need.

create or replace function install_roles()
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_role   text;
  v_member text;
begin
  if current_setting('tusk.role_prefix') = '' then
    return;
  end if;

  foreach v_role in array array['producer', 'worker', 'operator', 'admin'] loop
    if install_role(v_role) is null then
      begin
        execute format('create role %I nologin', current_setting('tusk.role_prefix') || '_' || v_role);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;

  for v_role, v_member in
    select granted, member
    from (values
      (install_role('producer'), install_role('operator')),
      (install_role('worker'), install_role('operator')),
      (install_role('operator'), install_role('admin')),
      (install_role('admin'), current_user::text)
    ) as membership (granted, member)
    where not pg_has_role(member, granted, 'usage')
  loop
    begin
      execute format('grant %I to %I', v_role, v_member);
    exception when unique_violation then
      null;
    end;
  end loop;
exception when insufficient_privilege then
  raise warning 'the roles %_producer, _worker, _operator and _admin were not all set up: %',
    current_setting('tusk.role_prefix'), sqlerrm
    using hint = format(
      'Everything else is installed, for %I alone. Migrate again as a user with CREATEROLE, or name existing roles.',
      current_user
    );
end;
$$;
