-- The audit: what people did, written in the transaction that did it.

-- audit_change() — writes down in the audit what a verb made of something
--
-- p_before is what describe_for_audit() said before. Of something that was there and still is,
-- only what differs is kept, and of a task its queue. The template of a schedule is
-- compared with its payload and kept without it.

create or replace function audit_change(
  p_action text,
  p_kind   text,
  p_name   text,
  p_before jsonb,
  p_more   jsonb default null
)
  returns void
  language plpgsql
as $$
declare
  v_after jsonb;
  v_both  text[];
begin
  if not has_audit_caller() then
    return;
  end if;
  v_after := describe(p_kind, p_name);
  if v_after is not null and p_before is not null then
    v_both := array(
      select key from jsonb_object_keys(v_after) as key
      where key <> 'queue' and v_after -> key is not distinct from p_before -> key);
  end if;
  if p_kind = 'schedule' then
    v_after := v_after || jsonb_build_object('task', strip_payload(v_after -> 'task', p_before -> 'task'));
    p_before := p_before || jsonb_build_object('task', strip_payload(p_before -> 'task'));
  end if;
  perform audit_action(p_action, p_kind || ' ' || p_name, p_before - coalesce(v_both, '{}'),
                      case when p_more is null then v_after - coalesce(v_both, '{}')
                           else coalesce(v_after - coalesce(v_both, '{}'), '{}') || p_more end);
end;
$$;

-- audit_action() — records an action in the audit, if a person or a token caused it
--
-- A door that acts for a person says for whom in the setting tusk.caller, for the
-- transaction: {"actor": "ada", "door": "http", "token": 7, "address": "::1", "request":
-- "…"}. Machines set nothing and pay for no row. The row is part of the transaction:
-- what is undone was not done.

create or replace function audit_action(p_action text, p_object text, p_before jsonb, p_after jsonb)
  returns void
  language plpgsql
as $$
begin
  if has_audit_caller() then
    perform write_audit(read_caller(), p_action, p_object, p_before, p_after);
  end if;
end;
$$;

-- audit_tasks() — writes down in the audit which tasks a verb dealt with; the first 1000 by their ids

create or replace function audit_tasks(p_action text, p_ids bigint[])
  returns void
  language plpgsql
as $$
begin
  if not has_audit_caller() then
    return;
  end if;
  perform audit_action(
    p_action, 'tasks', null,
    jsonb_build_object('count', coalesce(cardinality(p_ids), 0), 'ids', coalesce(to_jsonb(p_ids[: 1000]), '[]')));
end;
$$;

-- write_audit() — one row of the audit, without secrets

create or replace function write_audit(p_caller jsonb, p_action text, p_object text, p_before jsonb, p_after jsonb)
  returns void
  language plpgsql
as $$
begin
  -- `login` is taken from the session, which must be the caller's: this refuses where it is not.
  perform session_role();
  insert into audit (actor, door, token, address, request, action, object, before, after)
  values (
    left(p_caller ->> 'actor', 200), left(p_caller ->> 'door', 50), (p_caller ->> 'token')::bigint,
    left(p_caller ->> 'address', 100), left(p_caller ->> 'request', 200), p_action, left(p_object, 500),
    redact_secrets(nullif(p_before, 'null')), redact_secrets(nullif(p_after, 'null')));
end;
$$;

-- describe_for_audit() — what describe() says, when a door acts for a caller; else null
--
-- One expression, so that Postgres inlines it: machines pay for a look at the setting.

create or replace function describe_for_audit(p_kind text, p_name text)
  returns jsonb
  language sql
as $$
  select case when has_audit_caller() then describe(p_kind, p_name) end;
$$;

-- describe() — how something that people change stands, for the audit
--
-- It is locked until commit, so that no other session changes it between this and what the verb does.
-- What a task carries is not in it: payloads, outputs and errors are the business of
-- those who may see the task, for as long as it is kept.

create or replace function describe(p_kind text, p_name text)
  returns jsonb
  language plpgsql
as $$
declare
  c_task   constant text[] := '{queue,state,kind,handler,key,run_at,deadline,priority,version,groups,max_running,tags,'
                              'timeout,max_attempts,backoff,parent,retention,submitted_by}';
  c_limits constant text[] := '{paused_at,max_running,gap,gap_from,rate,rate_window,weight}';
  c_queue  constant text[] := '{paused_at,max_attempts,max_payload,group_max_running,keep_done,keep_failed,'
                              'keep_cancelled,backoff,on_lost,timeout,sql_max_rows,sql_max_bytes,is_fair,'
                              'keeps_keys,records_events,packs}';
  v_row    jsonb;
  v_limits jsonb;
begin
  case p_kind
    when 'task' then
      perform split_packs(array[p_name::bigint]);
      select to_jsonb(tasks)
        || jsonb_build_object('state', case when claim is not null then 'running' when waits is not null then 'waiting'
                                                  else 'queued' end)
      into v_row
      from tasks where id = p_name::bigint for no key update;
      if not found then
        select to_jsonb(finished) into v_row from finished where id = p_name::bigint for no key update;
      end if;
      return jsonb_strip_nulls(picked(v_row, c_task));
    when 'queue' then
      select to_jsonb(queues) into v_row from queues where name = p_name for update;
      select picked(to_jsonb(groups), array_remove(c_limits, 'paused_at')) into v_limits
      from groups where name = '@' || p_name for update;
      return jsonb_strip_nulls(picked(v_row, c_queue) || coalesce(v_limits, '{}'));
    when 'group' then
      select to_jsonb(groups) into v_row from groups where name = p_name for update;
      return jsonb_strip_nulls(picked(v_row, c_limits));
    when 'schedule' then
      select to_jsonb(schedules) into v_row from schedules where name = p_name for update;
      return jsonb_strip_nulls(picked(v_row, schedule_settings() || '{paused_at,pause_reason}'));
    when 'statement' then
      return (select to_jsonb(sql_statements) - 'name' from sql_statements where name = p_name for update);
    when 'connection' then
      return (select to_jsonb(sql_connections) - 'name' from sql_connections where name = p_name for update);
    when 'push' then
      return (select to_jsonb(push_endpoints) - '{queue,set_by,set_at}'::text[] from push_endpoints
              where queue = p_name for update);
    when 'trigger' then
      return (select settings || jsonb_build_object('table', relation::regclass, 'set_by', set_by)
              from row_triggers where name = p_name for update);
  end case;
end;
$$;

-- picked() — an object with these of its properties only

create or replace function picked(p_object jsonb, p_names text[])
  returns jsonb
  language sql
  immutable
as $$
  select jsonb_object_agg(key, value) from jsonb_each(p_object) where key = any (p_names);
$$;
