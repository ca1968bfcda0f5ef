-- operation — what is done to all tasks that match a filter, and how far it has come

create view operation as
  select id, action, filter, arguments, state, total, matched, done, refused, error, created_by, created_at,
         advanced_at, ended_at,
         case
           when state = 'done' then 1
           when total is not null then matched::float8 / greatest(total, 1)
           -- By ids: what is still to come was not counted.
           else least(1, (first_id + 1 - last_id)::float8 / greatest(first_id + 1 - oldest_id, 1))
         end as progress
  from operations
  -- What it is about may name queues and payloads: for the role that started it, and those that see all.
  where (select not has_grants from queues where name = '*')
    or exists (select from pg_catalog.pg_roles where rolname = started_by and pg_has_role(current_user, oid, 'usage'))
    or (select may_operate from reader_grant where queue = '*')
    or has_table_privilege(current_user, 'queue_grant'::regclass, 'select');
