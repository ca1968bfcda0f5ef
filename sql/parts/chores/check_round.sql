-- check_round() — refuses a round of a chore that could deal with nothing

create or replace function check_round(p_limit integer)
  returns void
  language plpgsql
as $$
begin
  if p_limit < 1 then
    perform refuse('TK004', format('a chore cannot deal with %s things', p_limit), 'Give a limit of 1 or more, or none.');
  end if;
end;
$$;
