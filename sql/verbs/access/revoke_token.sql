-- revoke_token() — ends a token, and pauses the schedules that were set with it
--
-- Answers how many schedules it paused. With p_keep_schedules they go on and belong to
-- no token any more: for a token that is replaced by another. A second call changes nothing.

create or replace function revoke_token(p_id bigint, p_keep_schedules boolean default false)
  returns integer
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_token  tokens;
  v_paused text[];
begin
  -- Waits for a set_schedule() with this token; see calling_token().
  select * into v_token from tokens where id = p_id for no key update;
  if not found then
    perform refuse('TK009', format('there is no token %s', coalesce(p_id::text, 'null')), 'The view token lists them.');
  end if;
  if v_token.revoked_at is not null then
    return 0;
  end if;
  update tokens set revoked_at = v_now where id = p_id;
  delete from sessions where token = p_id;
  if p_keep_schedules then
    update schedules set token = null where token = p_id;
  else
    v_paused := pause_schedules_of(v_token, v_now);
  end if;
  perform audit_action(
    'revoke_token', 'token ' || p_id, jsonb_build_object('name', v_token.name, 'scopes', v_token.scopes),
    case when v_paused <> '{}' then jsonb_build_object('paused_schedules', to_jsonb(v_paused)) end);
  return coalesce(cardinality(v_paused), 0);
end;
$$;

-- pause_schedules_of() — pauses what was set with a token that is revoked; answers with the names
--
-- One that is paused already stays so, and needs an operator to go on as the others do.

create or replace function pause_schedules_of(p_token tokens, p_now timestamptz)
  returns text[]
  language plpgsql
as $$
declare
  v_names text[];
  v_name  text;
begin
  -- In one order, as apply_schedules() locks them.
  perform from schedules where token = p_token.id order by name for update;
  with paused as (
    update schedules
    set paused_at    = coalesce(paused_at, p_now),
        pause_reason = format('token %s (%s), which set it, was revoked', p_token.id, p_token.name)
    where token = p_token.id
    returning name
  )
  select coalesce(array_agg(name order by name), '{}') into v_names from paused;
  foreach v_name in array v_names loop
    perform pg_notify(current_schema() || ':schedules', v_name);
  end loop;
  return v_names;
end;
$$;
