-- install_access() — PUBLIC may do nothing here; the four roles what grants.sql says
--
-- Taken back from everything after each run, because a function is born executable
-- by all. Default privileges cannot prevent that for one schema: there they can only
-- add. What the roles had before is taken back too, so that an upgraded schema
-- grants what a fresh one does.

create or replace function install_access(p_grants text)
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_schema text := quote_ident(current_schema());
  v_roles  text;
  v_nobody text;
begin
  select string_agg(quote_ident(name), ', ')
  into v_roles
  from unnest(array['producer', 'worker', 'operator', 'admin']) as role, install_role(role) as name;

  v_nobody := concat_ws(', ', 'public', v_roles);
  execute format('revoke all on schema %s from %s', v_schema, v_nobody);
  execute format('revoke all on all tables in schema %s from %s', v_schema, v_nobody);
  execute format('revoke all on all sequences in schema %s from %s', v_schema, v_nobody);
  execute format('revoke all on all routines in schema %s from %s', v_schema, v_nobody);

  if v_roles is not null then
    execute format('grant usage on schema %s to %s', v_schema, v_roles);
    execute format('grant select on installed to %s', v_roles);
  end if;
  execute p_grants;
end;
$$;
