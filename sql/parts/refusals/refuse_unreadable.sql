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
          then format('it has a property %L', (select min(name) from jsonb_object_keys(v_task - p_names) as other (name)))
      end;
      perform from read_tasks(jsonb_build_array(v_task)) where v_fault is null;
    exception
      when data_exception then v_fault := sqlerrm;
    end;
    if v_fault is not null then
      perform refuse_task(
        'TK004', v_place,
        format('%s cannot be enqueued: %s', case when v_count > 1 then format('task %s of %s', v_place, v_count) else 'the task' end, v_fault),
        format('Nothing was enqueued. A task has %s.', array_to_string(p_names, ', ')));
    end if;
  end loop;
end;
$$;
