-- check_operation() — refuses what cannot be done to many tasks

create or replace function check_operation(p_action text, p_filter jsonb, p_arguments jsonb)
  returns void
  language plpgsql
as $$
declare
  c_actions constant text[] := '{cancel,kill,retry,delete,move,amend}';
  v_known   text[] := case p_action when 'retry' then '{run_at}' when 'move' then '{run_at}' when 'amend' then '{changes}' else '{}' end;
  v_open    text;
begin
  if p_action is null or p_action <> all (c_actions) then
    perform refuse('TK004', format('tasks cannot be dealt with by %L', coalesce(p_action, 'null')),
                   concat_ws(' ', 'Did you mean ' || nearest_word(p_action, c_actions) || '?',
                             format('The actions are %s.', array_to_string(c_actions, ', '))));
  end if;
  perform check_size('settings', 'the filter', p_filter);
  perform check_size('settings', 'the arguments', p_arguments);
  perform read_filter(p_filter);
  -- Whoever looks for a null means nothing by it; here it would mean every task.
  select min(given.name) into v_open from jsonb_each(p_filter) as given (name, value) where given.value = 'null';
  if v_open is not null then
    perform refuse('TK004', format('the filter says null for %s', v_open), 'Give it a value; leave it out to mean all tasks, whatever theirs is.');
  end if;
  if jsonb_typeof(p_arguments) is distinct from 'object' or p_arguments - v_known <> '{}' then
    perform refuse('TK004', format('%s cannot take these arguments: %s', p_action, left(p_arguments::text, 100)),
                   coalesce('It takes ' || nullif(array_to_string(v_known, ', '), '') || '.', 'It takes none.'));
  end if;
  if p_action = 'move' or p_arguments ? 'run_at' then
    begin
      perform check_run_at((p_arguments ->> 'run_at')::timestamptz);
    exception when data_exception then
      perform refuse('TK004', format('run_at cannot be read: %s', sqlerrm), 'Give a time such as 2030-01-01T09:00:00Z.');
    end;
  end if;
  if p_action = 'amend' then
    perform check_settings(p_arguments -> 'changes', amendable());
    -- The SQL of many tasks would run in the name of whoever happens to advance this.
    if p_arguments -> 'changes' ? 'payload' then
      perform refuse('TK004', 'many tasks cannot be given one payload', 'Amend each of them.');
    end if;
  end if;
end;
$$;
