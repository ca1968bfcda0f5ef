-- Grants on queues: what readers may see.

-- guard_views() — makes barriers of the views that hide rows, while there are grants
--
-- Without a barrier a reader's own function in a WHERE could be asked about rows before it
-- is known that the reader may see them. With one, "order by id desc limit 10" reads and
-- sorts all tasks (6 s in place of 1 ms for 200,000), so views are barriers only when needed.

create or replace function guard_views()
  returns void
  language plpgsql
as $$
declare
  v_view text;
begin
  foreach v_view in array '{task,attempt,task_log,error_group,schedule,running_sql,operation}'::text[] loop
    execute format('alter view %I set (security_barrier = %s)', v_view, has_grants());
  end loop;
end;
$$;

-- operable() — which of these queues the caller may operate

create or replace function operable(p_queues text[])
  returns text[]
  language plpgsql
  stable
as $$
declare
  v_by text := submitter();
begin
  return array(
    select given.queue from (select distinct unnest(p_queues) as queue) as given
    where may_use('operate', given.queue, v_by));
end;
$$;

-- visible_tasks() — those of the tasks that the caller may see, in the same order, and their states

create or replace function visible_tasks(p_ids bigint[], p_states text[], out ids bigint[], out states text[])
  language plpgsql
  stable
as $$
declare
  v_queues text[];
begin
  v_queues := operable(array(
    select queue from tasks where id = any (rows_of(p_ids))
    union
    select queue from finished where id = any (rows_of(p_ids))));
  select coalesce(array_agg(p_ids[i] order by i), '{}'),
         coalesce(array_agg(p_states[i] order by i), '{}')
  into ids, states
  from generate_subscripts(p_ids, 1) as i
  where queue_of(p_ids[i]) = any (v_queues);
end;
$$;

-- may_operate_task() — whether a role may operate the queue of a task; true when there is no such task

create or replace function may_operate_task(p_id bigint, p_by text)
  returns boolean
  language plpgsql
  stable
as $$
begin
  if not has_grants() then
    return true;
  end if;
  return coalesce(may_use('operate', queue_of(p_id), p_by), true);
end;
$$;

-- queue_of() — the queue of a task, live or ended

create or replace function queue_of(p_id bigint)
  returns text
  language plpgsql
  stable
as $$
declare
  c_row constant bigint := find_row(p_id);
begin
  return coalesce((select queue from tasks where id = c_row), (select queue from finished where id = c_row));
end;
$$;
