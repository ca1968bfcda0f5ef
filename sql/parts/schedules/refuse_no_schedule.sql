-- refuse_no_schedule() — there is no schedule of this name; says which one is like it

create or replace function refuse_no_schedule(p_name text)
  returns void
  language plpgsql
as $$
begin
  perform refuse(
    'TK008', format('there is no schedule %s', coalesce(quote_literal(left(p_name, 200)), 'null')),
    coalesce(
      'Did you mean ' || nearest_word(p_name, array(select name from schedules order by name limit 1000)) || '?',
      'The view schedule lists them.'));
end;
$$;
