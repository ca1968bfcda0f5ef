-- check_settings() — refuses a setting whose name is unknown

create or replace function check_settings(p_settings jsonb, p_known text[])
  returns void
  language plpgsql
as $$
declare
  v_unknown text;
begin
  if jsonb_typeof(p_settings) is distinct from 'object' then
    perform refuse('TK004', 'settings must be a JSON object', 'Write {"max_running": 5}; a null puts the default back.');
  end if;
  select min(given.name) into v_unknown
  from jsonb_object_keys(p_settings) as given (name)
  where given.name <> all (p_known);
  if v_unknown is not null then
    perform refuse('TK004', format('there is no setting %L', v_unknown),
                   concat_ws(' ', 'Did you mean ' || nearest_word(v_unknown, p_known) || '?',
                             format('The settings are %s.', array_to_string(p_known, ', '))));
  end if;
end;
$$;
