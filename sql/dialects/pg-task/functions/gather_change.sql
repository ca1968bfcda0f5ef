-- gather_change() — UPDATE and DELETE of a row: what is to become of its task
--
-- Only looked at here; apply_changes() does all rows of a statement together.

create or replace function gather_change()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
  set intervalstyle = 'postgres'
as $$
declare
  v_change text;
begin
  if tg_op = 'DELETE' then
    insert into changes (xid, task, change) values (pg_current_xact_id(), old.id, 'delete');
    return old;
  end if;

  perform check_marks(new.delimiter, new.escape, new.quote);
  perform check_row(jsonb_populate_record(null::task_row, to_jsonb(new)));
  if new.id is distinct from old.id then
    perform refuse('TK004', format('the id of task %s cannot be changed', old.id), 'Insert another task.');
  end if;
  v_change := change_of(old.state::text, new.state::text);
  if v_change is null then
    perform refuse('TK003', format('task %s is %s and cannot be set to %s', old.id, old.state, new.state),
                   'PLAN and TAKE and WORK may be set to STOP; STOP, DONE, FAIL and GONE to PLAN.');
  end if;
  if (new.start, new.stop, new.pid, new.error, new.output) is distinct from (old.start, old.stop, old.pid, old.error, old.output)
     and not (v_change = 'plan' and num_nonnulls(new.start, new.stop, new.pid, new.error, new.output) = 0) then
    perform refuse('TK004', format('start, stop, pid, error and output of task %s are not for you to write', old.id),
                   'They tell what became of it.');
  end if;
  if v_change = 'amend' and old.state::text in ('DONE', 'FAIL', 'GONE', 'STOP') then
    if new is distinct from old then
      perform refuse('TK003', format('task %s is %s: it can be set to PLAN or deleted, not changed', old.id, old.state),
                     'Set its state to PLAN in the same statement, or insert another task.');
    end if;
    return new;
  end if;
  insert into changes (xid, task, change, row) values (pg_current_xact_id(), old.id, v_change, to_jsonb(new));
  return new;
end;
$$;
