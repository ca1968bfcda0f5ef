-- install_access() — PUBLIC may do nothing here; the four roles what grants.sql says
--
-- Taken back from everything after each run, because a function is born executable
-- by all. Default privileges cannot prevent that for one schema: there they can only
-- add. What the roles had before is taken back too, so that an upgraded schema
-- grants what a fresh one does.

create or replace function install_access()
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  c_roles  constant text[] := array['producer', 'worker', 'operator', 'admin'];
  v_schema text := quote_ident(current_schema());
  v_roles  text;
  v_nobody text;
  v_grants install_files;
begin
  select string_agg(quote_ident(name), ', ')
  into v_roles
  from unnest(c_roles) as role, install_role(role) as name;

  v_nobody := concat_ws(', ', 'public', v_roles);
  execute format('revoke all on schema %s from %s', v_schema, v_nobody);
  execute format('revoke all on all tables in schema %s from %s', v_schema, v_nobody);
  execute format('revoke all on all sequences in schema %s from %s', v_schema, v_nobody);
  execute format('revoke all on all routines in schema %s from %s', v_schema, v_nobody);

  if v_roles is not null then
    execute format('grant usage on schema %s to %s', v_schema, v_roles);
    execute format('grant select on installed to %s', v_roles);
    -- Of a dialect: by this its maintenance is found, whichever role runs it.
    if to_regclass(v_schema || '.installed_dialect') is not null then
      execute format('grant select on installed_dialect to %s', v_roles);
    end if;
  end if;

  select * into v_grants from install_files where path = 'grants.sql';
  execute v_grants.text;

  -- While a role is missing the grants are not done, and the next run shall try again.
  if exists (
    select from unnest(c_roles) as role
    where current_setting('tusk.role_prefix') <> '' and install_role(role) is null
  ) then
    v_grants.hash := 'roles missing';
  end if;
  insert into installed (path, hash)
  values ('grants.sql', v_grants.hash)
  on conflict (path) do update
    set hash       = excluded.hash,
        applied_at = excluded.applied_at;
end;
$$;
