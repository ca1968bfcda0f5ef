-- Grants on queues: who may enqueue, consume and operate which.

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

-- may_grant() — whether a role is an admin, whom no grant keeps out; false for a role that was dropped

create or replace function may_grant(p_by text)
  returns boolean
  language sql
  stable
as $$
  select exists (
    select from pg_catalog.pg_roles
    where rolname = p_by and has_function_privilege(oid, 'grant_queue(text, text, text[])', 'execute'));
$$;

-- is_covered() — whether a grant on p_granted is about this name: the name itself, or a beginning of it and *

create or replace function is_covered(p_name text, p_granted text)
  returns boolean
  language sql
  immutable
as $$
  select p_name = p_granted or (right(p_granted, 1) = '*' and starts_with(p_name, left(p_granted, -1)));
$$;

-- has_grants() — whether any queue has grants; without, every check is over at once

create or replace function has_grants()
  returns boolean
  language sql
  stable
as $$
  select has_grants from queues where name = '*';
$$;

-- require_queues() — refuses a caller that lacks a right on one of these queues, and names it
--
-- Each verb that names queues asks this once, when has_grants() says so.

create or replace function require_queues(p_right text, p_queues text[])
  returns void
  language plpgsql
as $$
declare
  v_by    text := submitter();
  v_queue text;
begin
  select given.queue into v_queue
  from (select distinct unnest(p_queues) as queue) as given
  where given.queue is not null and not may_use(p_right, given.queue, v_by)
  order by given.queue
  limit 1;
  if v_queue is not null then
    perform refuse_queue(p_right, 'queue', v_queue, v_by,
                         case when cardinality(p_queues) > 1 then array_position(p_queues, v_queue) end);
  end if;
end;
$$;

-- require_groups() — refuses a caller that lacks a right on one of these groups
--
-- Groups are shared by all queues, so only a grant on the beginning of names is about them:
-- acme:* closes the groups acme:… as it closes the queues acme:…. To put tasks into
-- groups outside of such a beginning is open to all; to change those groups needs a
-- right on * once that was granted to anyone.

create or replace function require_groups(p_right text, p_groups text[])
  returns void
  language plpgsql
as $$
declare
  v_by    text := submitter();
  v_group text;
begin
  select given.name into v_group
  from (select distinct unnest(p_groups) as name) as given
  where exists (
      select from queue_grants
      where right(queue, 1) = '*' and is_covered(given.name, queue) and (p_right = 'operate' or queue <> '*'))
    and not may_use(p_right, given.name, v_by)
  order by given.name
  limit 1;
  if v_group is not null then
    perform refuse_queue(p_right, 'group', v_group, v_by);
  end if;
end;
$$;

-- require_tasks() — refuses a caller that lacks a right on the queue of one of these tasks
--
-- A task never changes its queue, so this may be asked before the task is locked. What does
-- not exist is left to the verb.

create or replace function require_tasks(p_right text, p_ids bigint[])
  returns void
  language plpgsql
as $$
begin
  if has_grants() then
    perform require_queues(p_right, array(
      select queue from tasks where id = any (rows_of(p_ids))
      union
      select queue from finished where id = any (rows_of(p_ids))));
  end if;
end;
$$;

-- require_schedule() — refuses a caller that may not operate the queue for which a schedule makes tasks

create or replace function require_schedule(p_schedule schedules)
  returns void
  language plpgsql
as $$
begin
  if has_grants() then
    perform require_queues('operate', array[p_schedule.task ->> 'queue']);
  end if;
end;
$$;

-- refuse_queue() — says no to a role that lacks a right on a queue or group
--
-- p_place is that of the task in a bulk, counted from 1, for programs that would send the
-- others without it; null elsewhere.

create or replace function refuse_queue(p_right text, p_kind text, p_name text, p_by text, p_place bigint default null)
  returns void
  language plpgsql
as $$
begin
  raise exception using
    errcode = 'TK013',
    message = format('role %s may not %s %s %s', p_by, p_right, p_kind, p_name),
    hint    = format('Nothing was changed. An admin can allow it with grant_queue(%L, %L, %L).', p_name, p_by,
                     '{' || p_right || '}'),
    detail  = coalesce(jsonb_build_object('task', p_place)::text, '');
end;
$$;

-- sees_all() — whether the caller sees the tasks of every queue: there are no grants, or it may operate all

create or replace function sees_all()
  returns boolean
  language plpgsql
  stable
as $$
begin
  -- The caller is asked for only where there are grants.
  if not has_grants() then
    return true;
  end if;
  return may_use('operate', '*', submitter());
end;
$$;
