-- install_finish() — once all files are applied: takes away what is gone, then sets the rights

create or replace procedure install_finish(p_manifest jsonb, p_grants text)
  language plpgsql
  set search_path from current
as $$
declare
  v_settled boolean;
begin
  if not exists (select from installed where applied_at = now())
    and not exists (select from install_changes(p_manifest))
  then
    return;
  end if;

  perform install_record(p_manifest);
  perform install_roles();
  perform install_access(p_grants);

  select current_setting('tusk.role_prefix') = '' or bool_and(install_role(role) is not null)
  into v_settled
  from unnest(array['producer', 'worker', 'operator', 'admin']) as role;

  -- Without the roles the grants stay undone: the next run shall try again.
  insert into installed (path, hash)
  values ('grants.sql', case when v_settled then p_manifest ->> 'grants.sql' else 'roles missing' end)
  on conflict (path) do update
    set hash       = excluded.hash,
        applied_at = excluded.applied_at;
end;
$$;
