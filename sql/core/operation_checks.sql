-- Operations: which may be started, and by whom they may be advanced.

-- check_operation() — refuses what cannot be done to many tasks

create or replace function check_operation(p_action text, p_filter jsonb, p_arguments jsonb)
  returns void
  language plpgsql
as $$
declare
  c_actions constant text[] := '{cancel,kill,retry,delete,move,amend}';
  v_known   text[] := case p_action when 'retry' then '{run_at,from}' when 'move' then '{run_at}'
                           when 'amend' then '{changes}' else '{}' end;
  v_open    text;
begin
  if p_action is null or p_action <> all (c_actions) then
    perform refuse('TK004', format('unknown action %L', coalesce(p_action, 'null')),
                   concat_ws(' ', 'Did you mean ' || suggest_word(p_action, c_actions) || '?',
                             format('The actions are %s.', array_to_string(c_actions, ', '))));
  end if;
  perform check_size('settings', 'the filter', p_filter);
  perform check_size('settings', 'the arguments', p_arguments);
  perform read_filter(p_filter);
  -- A null is usually meant as "not given"; here it would mean every task.
  select min(given.name) into v_open from jsonb_each(p_filter) as given (name, value) where given.value = 'null';
  if v_open is not null then
    perform refuse('TK004', format('the filter has null for %s', v_open),
                   'Give it a value, or leave it out to match every value.');
  end if;
  if jsonb_typeof(p_arguments) is distinct from 'object' or p_arguments - v_known <> '{}' then
    perform refuse('TK004', format('invalid arguments of %s: %s', p_action, left(p_arguments::text, 100)),
                   coalesce('It takes ' || nullif(array_to_string(v_known, ', '), '') || '.', 'It takes none.'));
  end if;
  if p_action = 'move' or p_arguments ? 'run_at' then
    begin
      perform check_run_at((p_arguments ->> 'run_at')::timestamptz);
    exception when data_exception then
      perform refuse('TK004', format('run_at is invalid: %s', sqlerrm),
                     'Give a time such as 2030-01-01T09:00:00Z.');
    end;
  end if;
  if p_action = 'amend' then
    perform check_settings(p_arguments -> 'changes', amendable_properties());
    -- The SQL of many tasks would run in the name of the session that happens to advance this.
    if p_arguments -> 'changes' ? 'payload' then
      perform refuse('TK004', 'an operation cannot set the payload of tasks', 'Amend each task on its own.');
    end if;
  end if;
end;
$$;

-- refuse_no_operation() — there is no such operation

create or replace function refuse_no_operation(p_id bigint)
  returns void
  language plpgsql
as $$
begin
  perform refuse('TK010', format('there is no operation %s', coalesce(p_id::text, 'null')),
                 'It never existed, its transaction has not committed, or it ended more than 7 days ago.');
end;
$$;

-- require_operation() — refuses a caller that neither started an operation nor may operate every queue

create or replace function require_operation(p_operation operations)
  returns void
  language plpgsql
as $$
begin
  if not sees_all() and not is_member_of(submitter(), array[p_operation.started_by]) then
    perform refuse('TK013', format('operation %s was started by role %s', p_operation.id, p_operation.started_by),
                   format('Call as a member of that role, or let an admin grant operate on * to %s.', submitter()));
  end if;
end;
$$;
