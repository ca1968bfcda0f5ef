-- Schedules: in whose name they enqueue, and by which token they were set.

-- check_template() — refuses a schedule whose task could not be enqueued
--
-- Asks the one who will have to do it: the task is enqueued, and undone.

create or replace function check_template(p_schedule schedules)
  returns void
  language plpgsql
as $$
declare
  c_undone constant text := 'TK999';
  v_hint   text;
begin
  -- In the name of the caller, who must be allowed to enqueue this, and so without the group of
  -- the schedule, which only the schedule may name.
  p_schedule.overlap := 'allow';
  perform read_tasks(jsonb_build_array(p_schedule.task));
  perform store_tasks(array[
    occurrence_task(p_schedule, clock_timestamp(), clock_timestamp() + interval '100 years')]);
  raise exception using errcode = c_undone;
exception
  when sqlstate 'TK999' then
    null;
  when sqlstate 'TK004' or sqlstate 'TK005' then
    get stacked diagnostics v_hint = pg_exception_hint;
    perform refuse(sqlstate, format('schedule %s is invalid: %s', p_schedule.name, sqlerrm),
                   'Nothing was changed. ' || v_hint);
end;
$$;

-- check_setter() — refuses to fire a schedule whose role has lost the right to enqueue
--
-- Tasks of a schedule are submitted in the name of the role that set it. Once that role
-- is dropped or may no longer enqueue, its schedules must not go on in its name.

create or replace function check_setter(p_schedule schedules)
  returns void
  language plpgsql
as $$
begin
  if not may_enqueue(p_schedule.set_by) then
    perform refuse('TK013', format('role %s, which set schedule %s, may not enqueue any more',
                                   p_schedule.set_by, p_schedule.name),
                   'Set the schedule again as a role that may, or delete it.');
  end if;
end;
$$;

-- may_enqueue() — whether a role exists and may enqueue

create or replace function may_enqueue(p_role text)
  returns boolean
  language sql
  stable
as $$
  select exists (
    select from pg_catalog.pg_roles
    where rolname = p_role and has_function_privilege(oid, 'enqueue_many(jsonb)', 'execute'));
$$;

-- calling_token() — the token for which a door sets a schedule; null when there is none
--
-- Held until commit: the token is not revoked before the schedule is there to be paused.
-- A door may take a token for valid for some seconds longer, so one that was revoked is refused.

create or replace function calling_token()
  returns bigint
  language plpgsql
as $$
declare
  v_token tokens;
begin
  if not has_audit_caller() or read_caller() ->> 'token' is null then
    return null;
  end if;
  select * into v_token from tokens where id = (read_caller() ->> 'token')::bigint for share;
  if v_token.revoked_at is not null then
    perform refuse('TK013', format('token %s was revoked', v_token.id), 'Use another token.');
  end if;
  return v_token.id;
end;
$$;

-- add_sql_role() — the task of a schedule, with the role that SQL of this session's callers has to run as
--
-- A schedule fires on another session, where the setting is not known: so the role is
-- stored. Whether a role that the task names itself is allowed is for check_template().

create or replace function add_sql_role(p_task jsonb)
  returns jsonb
  language sql
  stable
as $$
  select case
    when p_task ->> 'kind' = 'sql' and p_task -> 'payload' ?| array['sql', 'procedure']
     and not p_task -> 'payload' ?| array['role', 'connection'] and required_sql_role() is not null
    then jsonb_set(p_task, '{payload,role}', to_jsonb(required_sql_role()))
    else p_task
  end;
$$;

-- hold_schedule() — locks a schedule until commit; refuses when there is none, or the caller may not operate it

create or replace function hold_schedule(p_name text)
  returns schedules
  language plpgsql
as $$
declare
  v_plan schedules;
begin
  select * into v_plan from schedules where name = p_name for update;
  if not found then
    perform refuse_no_schedule(p_name);
  end if;
  perform require_schedule(v_plan);
  return v_plan;
end;
$$;

-- refuse_no_schedule() — there is no schedule of this name; says which one is like it

create or replace function refuse_no_schedule(p_name text)
  returns void
  language plpgsql
as $$
begin
  perform refuse(
    'TK008', format('there is no schedule %s', coalesce(quote_literal(left(p_name, 200)), 'null')),
    coalesce(
      'Did you mean ' || suggest_word(p_name, array(select name from schedules order by name limit 1000)) || '?',
      'The view schedule lists them.'));
end;
$$;
