-- apply_changes() — after an UPDATE or DELETE: all its rows, in the order of locks
--
-- Row by row, a statement over many tasks and a worker that claims them would wait
-- for each other. A task that has meanwhile gone on stays where it has come to.

create or replace function apply_changes()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
  set intervalstyle = 'postgres'
as $$
declare
  v_change changes;
  v_stops  bigint[];
  v_gone   bigint[];
begin
  perform hold_tasks(array(select task from changes where xid = pg_current_xact_id()), clock_timestamp());
  for v_change in
    select * from changes where xid = pg_current_xact_id() and change <> 'delete' order by task
  loop
    if v_change.change = 'plan' then
      perform retry(id, (v_change.row ->> 'plan')::timestamptz) from finished where id = v_change.task;
    end if;
    perform amend_task(v_change.task, v_change.row, tg_argv[0], tg_argv[1], tg_argv[2], tg_relid);
  end loop;

  select array_agg(task) filter (where change = 'stop'), array_agg(task) filter (where change = 'delete')
  into v_stops, v_gone
  from changes
  where xid = pg_current_xact_id();
  perform from cancel_many(v_stops) where v_stops is not null;
  perform from delete_many(v_gone) where v_gone is not null;
  delete from changes where xid = pg_current_xact_id();
  return null;
end;
$$;
