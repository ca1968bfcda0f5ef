-- read_filter() — a filter of tasks as it was written, checked
--
-- Refused is what cannot be meant: a name that nobody knows, a state that no task is ever
-- in, a value that cannot be read. Nothing is left out in silence, because what is done to
-- all that match is often not to be undone.

create or replace function read_filter(p_filter jsonb)
  returns task_filter
  language plpgsql
  stable
as $$
declare
  c_states  constant text[] := '{scheduled,retrying,blocked,ready,running,done,failed,cancelled}';
  v_names   text[] := filter_names();
  v_unknown text;
  v_want    task_filter;
begin
  if jsonb_typeof(p_filter) is distinct from 'object' then
    perform refuse('TK004', 'a filter must be a JSON object', 'Write {"queue": "mail", "states": ["failed"]}; {} is all.');
  end if;
  select min(given.name) into v_unknown from jsonb_object_keys(p_filter) as given (name) where given.name <> all (v_names);
  if v_unknown is not null then
    perform refuse('TK004', format('tasks cannot be looked for by %L', v_unknown),
                   concat_ws(' ', 'Did you mean ' || nearest_word(v_unknown, v_names) || '?',
                             format('Give an object with any of %s.', array_to_string(v_names, ', '))));
  end if;
  begin
    v_want := jsonb_populate_record(null::task_filter, p_filter);
  exception
    when data_exception or datatype_mismatch then
      perform refuse('TK004', format('the filter cannot be read: %s', sqlerrm),
                     'Times are as Postgres reads them; states and ids are arrays.');
  end;
  select min(given.state) into v_unknown from unnest(v_want.states) as given (state) where given.state <> all (c_states);
  if v_unknown is not null or array_position(v_want.states, null) is not null then
    perform refuse('TK004', format('no task is ever %s', coalesce(v_unknown, 'null')),
                   concat_ws(' ', 'Did you mean ' || nearest_word(v_unknown, c_states) || '?',
                             format('The states are %s.', array_to_string(c_states, ', '))));
  end if;
  return v_want;
end;
$$;
