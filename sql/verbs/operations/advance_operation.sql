-- advance_operation() — deals with the next p_limit tasks of an operation; answers how it stands then
--
-- Any number may call it at once: one does a page, the others get its state. When
-- it has ended, nothing more happens.

create or replace function advance_operation(p_id bigint, p_limit integer default 500)
  returns table (
    id bigint, action text, filter jsonb, arguments jsonb, state text, total bigint, matched bigint, done bigint,
    refused bigint, error text, created_by text, created_at timestamptz, advanced_at timestamptz, ended_at timestamptz,
    progress float8
  )
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  perform require_operation(operations) from operations where operations.id = p_id;
  if p_limit is null or p_limit not between 1 and 10000 then
    perform refuse('TK004', format('an operation cannot advance by %s tasks', coalesce(p_limit::text, 'null')),
                   'Give a limit from 1 to 10000.');
  end if;
  if (advance_page(p_id, p_limit, false)).id is null then
    perform refuse_no_operation(p_id);
  end if;
  return query select * from operation where operation.id = p_id;
end;
$$;
