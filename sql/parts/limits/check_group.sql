-- check_group() — refuses what cannot be the name of a group

create or replace function check_group(p_group text)
  returns void
  language plpgsql
as $$
begin
  if group_fault(array[p_group]) is not null then
    perform refuse('TK004', format('%L is not the name of a group', left(p_group, 100)),
                   format('A name has 1 to %s bytes and does not begin with @ or schedule:.', bound('index')));
  end if;
end;
$$;
