-- visible_tasks() — those of the tasks that the caller may see, in the same order, and their states

create or replace function visible_tasks(p_ids bigint[], p_states text[], out ids bigint[], out states text[])
  language plpgsql
  stable
as $$
declare
  v_queues text[];
begin
  v_queues := operable(array(
    select queue from tasks where id = any (p_ids)
    union
    select queue from finished where id = any (p_ids)));
  select coalesce(array_agg(p_ids[i] order by i), '{}'), coalesce(array_agg(p_states[i] order by i), '{}') into ids, states
  from generate_subscripts(p_ids, 1) as i
  where coalesce((select queue from tasks where id = p_ids[i]), (select queue from finished where id = p_ids[i])) = any (v_queues);
end;
$$;
