-- check_marks() — refuses half of a character for delimiter, escape or quote
--
-- They are one byte; of a longer character only the first byte arrives.

create or replace function check_marks(variadic p_marks "char"[])
  returns void
  language plpgsql
as $$
begin
  if (select bool_or(mark::integer < 0) from unnest(p_marks) as given (mark)) then
    perform refuse('TK004', 'delimiter, escape and quote are ASCII characters', 'Choose another character.');
  end if;
end;
$$;
