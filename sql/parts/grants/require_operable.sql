-- require_operable() — refuses a caller that may not operate a queue, group, schedule or task

create or replace function require_operable(p_kind text, p_name text)
  returns void
  language plpgsql
as $$
declare
  v_plan schedules;
begin
  if not has_grants() then
    return;
  end if;
  case p_kind
    when 'queue' then perform require_queues('operate', array[p_name]);
    when 'group' then perform require_groups('operate', array[p_name]);
    when 'task' then perform require_tasks('operate', array[p_name::bigint]);
    when 'schedule' then
      select * into v_plan from schedules where name = p_name;
      perform require_schedule(v_plan);
    else null;
  end case;
end;
$$;
