-- grant_queue() — gives a role rights on a queue, and closes the queue to all others
--
--   select grant_queue('mail', 'shop', '{enqueue}');
--   select grant_queue('acme:*', 'acme', '{operate}');
--
--   enqueue   put tasks in
--   consume   claim tasks and report on them
--   operate   see and change tasks, settings and schedules; has enqueue and consume in it
--
-- A name that ends with * is about all queues that begin so, and * about all there are.
-- The first grant on a queue closes it: from then on only granted roles, their members and
-- admins may use it. Rights that the role has stay. It needs the roles producer, worker or
-- operator as well, which let it call the verbs.

create or replace function grant_queue(p_queue text, p_role text, p_rights text[])
  returns void
  language plpgsql
  security definer
  set search_path from current
  set lock_timeout = '10s'
as $$
declare
  v_before jsonb;
begin
  perform check_grant(p_queue, p_role, p_rights);
  -- One at a time, so that has_grants and the audit say what is so.
  perform from queues where name = '*' for no key update;
  v_before := describe_grants(p_queue);
  insert into queue_grants as old (queue, role, rights, granted_by, granted_at)
  values (p_queue, p_role, array(select distinct given.name from unnest(p_rights) as given (name) order by given.name),
          submitter(), clock_timestamp())
  on conflict (queue, role) do update
    set rights     = array(select distinct given.name
                           from unnest(old.rights || excluded.rights) as given (name) order by given.name),
        granted_by = excluded.granted_by,
        granted_at = excluded.granted_at;
  perform audit_grants('grant_queue', p_queue, v_before);
end;
$$;
