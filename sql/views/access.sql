-- queue_grant — which roles have which rights on closed queues
--
-- A row without rights keeps its queues closed. `is_known` is false once the role was dropped.

create view queue_grant as
  select queue, role, rights, granted_by, granted_at,
         exists (select from pg_catalog.pg_roles where rolname = role) as is_known
  from queue_grants;

-- reader_grant — for views: which names are closed, and whether the reader may operate them
--
-- The reader is current_user, which a view takes from the statement that reads it. Admins, who
-- may read queue_grant, and the engine itself are not kept out.

create view reader_grant as
  select queue,
         bool_or('operate' = any (rights) and exists (
           select from pg_catalog.pg_roles where rolname = role and pg_has_role(current_user, oid, 'usage')))
           or has_table_privilege(current_user, 'queue_grant'::regclass, 'select') as may_operate
  from queue_grants
  group by queue;

-- token — who may come in by which token; the secrets are nowhere

create view token as
  select id, name, prefix, scopes, created_at, created_by, expires_at, revoked_at, last_used_at,
         case
           when revoked_at is not null then 'revoked'
           when expires_at <= clock_timestamp() then 'expired'
           else 'alive'
         end as state
  from tokens;

-- audit_entry — what people did, who they were, and what it changed

create view audit_entry as
  select audit.id, audit.at, audit.actor, audit.door, audit.token, tokens.name as token_name, audit.address,
         audit.request, audit.login, audit.action, audit.object, audit.before, audit.after
  from audit
  left join tokens on tokens.id = audit.token;
