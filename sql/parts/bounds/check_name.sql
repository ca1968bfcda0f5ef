-- check_name() — refuses what is empty or too long for a name

create or replace function check_name(p_what text, p_name text)
  returns void
  language plpgsql
as $$
begin
  if coalesce(length(p_name), 0) not between 1 and bound('name') then
    perform refuse(
      'TK004',
      case when coalesce(p_name, '') = '' then format('%s needs a name', p_what)
           else format('the name of %s has %s characters, at most %s can be stored', p_what, length(p_name), bound('name')) end,
      format('Give it a name of 1 to %s characters.', bound('name')));
  end if;
end;
$$;
