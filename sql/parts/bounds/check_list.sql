-- check_list() — refuses an array that is more than a plain list

create or replace function check_list(p_name text, p_array anyarray)
  returns void
  language plpgsql
as $$
begin
  if not is_list(p_array) then
    perform refuse('TK004', format('%s must be a plain list', p_name),
                   'Give an array of one dimension that begins at 1, such as array[1, 2].');
  end if;
end;
$$;
