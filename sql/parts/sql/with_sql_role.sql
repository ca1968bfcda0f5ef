-- with_sql_role() — the task of a schedule, with the role that SQL of this session's callers has to run as
--
-- A schedule fires on another session, where the setting is not known: so the role is
-- stored. Whether a role that the task names itself is allowed is for check_template().

create or replace function with_sql_role(p_task jsonb)
  returns jsonb
  language sql
  stable
as $$
  select case
    when p_task ->> 'kind' = 'sql' and p_task -> 'payload' ? 'sql'
     and not p_task -> 'payload' ?| array['role', 'connection'] and required_sql_role() is not null
    then jsonb_set(p_task, '{payload,role}', to_jsonb(required_sql_role()))
    else p_task
  end;
$$;
