-- check_queue() — refuses what cannot be the name of a queue

create or replace function check_queue(p_queue text)
  returns void
  language plpgsql
as $$
begin
  if coalesce(p_queue, '') in ('', '*') or left(p_queue, 1) = '@' or length(p_queue) > bound('name') then
    perform refuse('TK004', format('%L is not the name of a queue', left(p_queue, 300)),
                   'A name has 1 to 200 characters, is not * and does not begin with @.');
  end if;
end;
$$;
