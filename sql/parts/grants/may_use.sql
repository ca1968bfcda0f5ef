-- may_use() — whether a role has a right on a queue
--
-- A queue that no grant covers is open. One that is covered is closed to all but the roles
-- that were granted the right, their members, and admins. operate has enqueue and consume
-- in it, as the scopes of tokens have. The defaults of all queues, *, are never open.

create or replace function may_use(p_right text, p_queue text, p_by text)
  returns boolean
  language plpgsql
  stable
as $$
declare
  v_roles text[];
begin
  select array_agg(role) filter (where p_right = any (rights) or 'operate' = any (rights)) into v_roles
  from queue_grants
  where is_covered(p_queue, queue)
  having count(*) > 0;
  if not found and p_queue <> '*' then
    return true;
  end if;
  return is_member_of(p_by, coalesce(v_roles, '{}')) or may_grant(p_by);
end;
$$;
