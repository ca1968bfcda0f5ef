-- refuse_unknown() — there is no such task

create or replace function refuse_unknown(p_id bigint)
  returns void
  language plpgsql
as $$
begin
  perform refuse(
    'TK002',
    format('there is no task %s', coalesce(p_id::text, 'null')),
    'It never existed, its transaction has not committed, or its retention is over.');
end;
$$;
