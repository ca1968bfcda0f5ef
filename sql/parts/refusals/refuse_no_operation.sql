-- refuse_no_operation() — there is no such operation

create or replace function refuse_no_operation(p_id bigint)
  returns void
  language plpgsql
as $$
begin
  perform refuse('TK010', format('there is no operation %s', coalesce(p_id::text, 'null')),
                 'It never existed, its transaction has not committed, or it ended more than 7 days ago.');
end;
$$;
