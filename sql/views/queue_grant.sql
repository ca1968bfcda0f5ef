-- queue_grant — which roles have which rights on closed queues
--
-- A row without rights keeps its queues closed. `is_known` is false once the role was dropped.

create view queue_grant as
  select queue, role, rights, granted_by, granted_at,
         exists (select from pg_catalog.pg_roles where rolname = role) as is_known
  from queue_grants;
