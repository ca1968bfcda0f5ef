-- revoke_queue() — takes rights on a queue from a role; all of them, if none are named
--
-- The queue stays closed, also when no role has rights on it any more: open_queue() opens it.
-- Answers whether the role had any of these rights.

create or replace function revoke_queue(p_queue text, p_role text, p_rights text[] default null)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
  set lock_timeout = '10s'
as $$
declare
  v_before jsonb;
  v_old    text[];
  v_left   text[];
begin
  perform from queues where name = '*' for no key update;
  v_before := describe_grants(p_queue);
  select rights into v_old from queue_grants where queue = p_queue and role = p_role;
  v_left := array(
    select given.name from unnest(v_old) as given (name)
    where given.name <> all (coalesce(p_rights, v_old)) order by given.name);
  if v_old is null or v_left = v_old then
    return false;
  end if;
  update queue_grants set rights = v_left where queue = p_queue and role = p_role;
  delete from queue_grants
  where queue = p_queue and rights = '{}'
    and exists (select from queue_grants as other where other.queue = p_queue and other.rights <> '{}');
  perform audit_grants('revoke_queue', p_queue, v_before);
  return true;
end;
$$;
