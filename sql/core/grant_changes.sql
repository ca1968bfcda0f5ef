-- Grants on queues: how they are given and written down.

-- audit_grants() — remembers whether there are grants at all, and writes the change into the audit

create or replace function audit_grants(p_action text, p_queue text, p_before jsonb)
  returns void
  language plpgsql
as $$
begin
  update queues set has_grants = exists (select from queue_grants)
  where name = '*' and has_grants <> exists (select from queue_grants);
  if found then
    perform guard_views();
  end if;
  perform audit_action(p_action, 'queue ' || p_queue, p_before, describe_grants(p_queue));
end;
$$;

-- describe_grants() — the rights on a queue by role, for the audit; null when there are none

create or replace function describe_grants(p_queue text)
  returns jsonb
  language sql
  stable
as $$
  select jsonb_object_agg(role, to_jsonb(rights)) from queue_grants where queue = p_queue;
$$;

-- check_grant() — refuses a grant on no queue, to no role, or of an unknown right

create or replace function check_grant(p_queue text, p_role text, p_rights text[])
  returns void
  language plpgsql
as $$
declare
  c_rights constant text[] := '{enqueue,consume,operate}';
  v_other  text;
begin
  if p_queue is distinct from '*' then
    perform check_queue(p_queue);
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = p_role) then
    perform refuse('TK004', format('there is no role %s', coalesce(quote_literal(p_role), 'null')),
                   'Create it first, or check the spelling: names of roles are compared letter by letter.');
  end if;
  select min(given.name) into v_other from unnest(p_rights) as given (name) where given.name <> all (c_rights);
  if v_other is not null or coalesce(cardinality(p_rights), 0) = 0 or array_position(p_rights, null) is not null then
    perform refuse('TK004', format('%s is not a right on a queue', coalesce(quote_literal(v_other), 'null')),
                   concat_ws(' ', 'Did you mean ' || suggest_word(v_other, c_rights) || '?',
                             'The rights are enqueue, consume and operate, as in {enqueue,consume}.'));
  end if;
end;
$$;
