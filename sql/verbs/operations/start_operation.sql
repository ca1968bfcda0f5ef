-- start_operation() — does something to all tasks that match a filter; answers with the operation's id
--
--   select start_operation('retry', '{"queue": "mail", "states": ["failed"]}');
--   select start_operation('amend', '{"tag": "slow"}', '{"changes": {"priority": -5}}');
--
-- cancel, retry (run_at, from), delete, move (run_at) or amend (changes). The filter is that of
-- page_tasks(); without states it means those that the action is for, of which retry
-- leaves out what is done. Only tasks that are there now are meant. States that change by
-- themselves (ready, blocked …) are judged now, once: `total` in the view operation says how many
-- tasks are meant. Nothing is done yet: advance_operation() does a page at a time, and the
-- chore operations goes on with what no driver advances for 5 seconds.

create or replace function start_operation(p_action text, p_filter jsonb, p_arguments jsonb default '{}')
  returns bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_newest bigint := (select last_value from task_ids);
  v_caller jsonb := read_caller();
  v_op     operations;
begin
  perform check_operation(p_action, p_filter, p_arguments);
  p_filter := jsonb_strip_nulls(to_jsonb(read_filter(p_filter)));
  p_arguments := normalize_arguments(p_arguments);
  insert into operations (action, filter, arguments, first_id, oldest_id, last_id, created_by, created_at, advanced_at,
                          caller, started_by)
  values (
    p_action, p_filter, p_arguments, v_newest,
    coalesce(least((select min(id) from tasks), (select min(id) from finished)), v_newest), v_newest + 1,
    coalesce(v_caller ->> 'actor', submitter()), v_now, v_now, v_caller, submitter())
  returning * into v_op;
  perform freeze_operation(v_op);
  perform audit_action('start_operation', 'operation ' || v_op.id, null,
                      jsonb_build_object('action', p_action, 'filter', p_filter, 'arguments',
                        case when p_action = 'amend'
                             then jsonb_build_object('changes', strip_payload(p_arguments -> 'changes', '{}'))
                             else p_arguments end));
  return v_op.id;
end;
$$;

-- normalize_arguments() — the arguments of an operation, its times with their zone
--
-- They are read again with each page, by sessions that may live in another time zone.

create or replace function normalize_arguments(p_arguments jsonb)
  returns jsonb
  language plpgsql
as $$
declare
  v_name text;
begin
  foreach v_name in array '{run_at,deadline}'::text[] loop
    if jsonb_typeof(p_arguments -> v_name) = 'string' then
      p_arguments := p_arguments || jsonb_build_object(v_name, (p_arguments ->> v_name)::timestamptz);
    end if;
  end loop;
  if p_arguments ? 'changes' then
    p_arguments := p_arguments || jsonb_build_object('changes', normalize_arguments(p_arguments -> 'changes'));
  end if;
  return p_arguments;
exception when data_exception then
  perform refuse('TK004', format('invalid time: %s', sqlerrm), 'Write it like 2030-01-01T09:00:00Z.');
end;
$$;
