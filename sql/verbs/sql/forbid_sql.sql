-- forbid_sql() — takes back what allow_sql() gave; without a role, all of it
--
-- Tasks that are queued already were judged when they came, and still run.

create or replace function forbid_sql(p_submitter text, p_role text default null)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  delete from sql_roles where submitter = p_submitter and role = coalesce(p_role, role);
  perform audit_action('forbid_sql', 'role ' || coalesce(p_submitter, ''), jsonb_build_object('role', p_role), null);
end;
$$;
