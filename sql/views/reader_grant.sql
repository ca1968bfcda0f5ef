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
