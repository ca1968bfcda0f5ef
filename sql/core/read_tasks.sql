-- Tasks that come as JSON: enqueue_many(jsonb), schedules and row triggers.

-- read_tasks() — an array of objects as tasks, or a refusal that names the one that cannot be read

create or replace function read_tasks(p_tasks jsonb)
  returns new_task[]
  language plpgsql
as $$
declare
  c_names constant text[] := property_names();
  v_tasks new_task[];
begin
  if jsonb_typeof(p_tasks) is distinct from 'array' then
    perform refuse('TK004', 'enqueue_many needs an array of tasks', 'Write [{"queue": "mail", "payload": {}}].');
  end if;
  perform
  from jsonb_array_elements(p_tasks) as task (value)
  where jsonb_typeof(value) <> 'object' or value - c_names <> '{}';
  if found then
    perform refuse_unreadable(p_tasks, c_names);
  end if;
  begin
    v_tasks := array(select task from jsonb_populate_recordset(null::new_task, p_tasks) as task);
  exception
    when data_exception then
      perform refuse_unreadable(p_tasks, c_names);
  end;
  for i in 1 .. cardinality(v_tasks) loop
    if (v_tasks[i]).payload is null then
      v_tasks[i].payload := '{}';
    end if;
  end loop;
  return v_tasks;
end;
$$;

-- refuse_unreadable() — names the first task of an array that cannot be read, and why

create or replace function refuse_unreadable(p_tasks jsonb, p_names text[])
  returns void
  language plpgsql
as $$
declare
  v_count integer := jsonb_array_length(p_tasks);
  v_task  jsonb;
  v_place bigint;
  v_fault text;
begin
  for v_task, v_place in
    select value, ordinality from jsonb_array_elements(p_tasks) with ordinality
  loop
    begin
      v_fault := case
        when jsonb_typeof(v_task) <> 'object' then format('%s is not an object', left(v_task::text, 50))
        when v_task - p_names <> '{}'
          then format('it has a property %L',
                      (select min(name) from jsonb_object_keys(v_task - p_names) as other (name)))
      end;
      perform jsonb_populate_record(null::new_task, v_task) where v_fault is null;
    exception
      when data_exception then v_fault := sqlerrm;
    end;
    if v_fault is not null then
      perform refuse_task(
        'TK004', v_place,
        format('%s cannot be enqueued: %s', place_in_bulk(v_place, v_count), v_fault),
        format('Nothing was enqueued. A task has %s.', array_to_string(p_names, ', ')));
    end if;
  end loop;
end;
$$;

-- property_names() — what a task can be given, in the order of the type new_task

create or replace function property_names()
  returns text[]
  language sql
  stable
as $$
  select array_agg(attname::text order by attnum)
  from pg_attribute
  where attrelid = (select typrelid from pg_type where oid = 'new_task'::regtype) and attnum > 0 and not attisdropped;
$$;
