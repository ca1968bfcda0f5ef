-- check_reasons() — refuses a reason that only the engine may give

create or replace function check_reasons(p_reasons text[])
  returns void
  language plpgsql
as $$
declare
  v_other text;
begin
  select given.reason into v_other
  from unnest(p_reasons) as given (reason)
  where given.reason is null or given.reason not in ('error', 'timeout')
  limit 1;
  if found then
    perform refuse('TK004', format('%L is not why an attempt fails', v_other),
                   'Give error or timeout; reject() and kill() have reasons of their own.');
  end if;
end;
$$;
