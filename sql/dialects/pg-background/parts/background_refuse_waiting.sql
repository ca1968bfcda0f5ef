-- background_refuse_waiting() — refuses to wait where the end of these tasks could never be seen

create or replace function background_refuse_waiting(p_ids bigint[])
  returns void
  language plpgsql
as $$
declare
  v_own bigint;
begin
  select id into v_own
  from background_task
  where id = any (p_ids) and xid = pg_current_xact_id_if_assigned()::text
  limit 1;
  if v_own is not null then
    perform refuse(
      '55000', format('background task %s was launched by this very transaction and starts when it commits', v_own),
      'Commit first, then wait; or use CALL pg_background_run(…).');
  end if;
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    perform refuse(
      '25001', format('a %s transaction never sees that a task has ended', current_setting('transaction_isolation')),
      'Wait in a transaction of isolation level read committed.');
  end if;
end;
$$;
