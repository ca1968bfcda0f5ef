-- sql_payload() — the payload of a SQL task as it is stored, with what was left open decided
--
-- It runs as the role that submits it, or as the one that required_sql_role() names,
-- unless it says otherwise; at another database, as the login there. What a session may live is kept in milliseconds too, for
-- only Postgres reads intervals as Postgres does.

create or replace function sql_payload(p_payload jsonb, p_by text)
  returns jsonb
  language sql
  stable
as $$
  select p_payload
    || case when p_payload ? 'role' or p_payload ? 'statement' or p_payload ? 'connection' then '{}'
            else jsonb_build_object('role', coalesce(required_sql_role(), p_by)) end
    || case when p_payload #> '{session,live}' is null then '{}'
            else jsonb_build_object('session', p_payload -> 'session' || jsonb_build_object(
              'live_ms', (extract(epoch from (p_payload #>> '{session,live}')::interval) * 1000)::bigint)) end;
$$;
