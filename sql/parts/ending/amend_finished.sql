-- amend_finished() — done | failed | cancelled, changed: what retry() would begin with
--
-- For amend(). Its deadline may be over, and is judged only when it is given anew. False when
-- it has not ended.

create or replace function amend_finished(p_id bigint, p_changes jsonb, p_now timestamptz)
  returns boolean
  language plpgsql
as $$
declare
  v_old  finished;
  v_task tasks;
  v_new  tasks;
begin
  select * into v_old from finished where id = p_id for update;
  if not found then
    return false;
  end if;
  v_task := jsonb_populate_record(null::tasks, to_jsonb(v_old) - 'deadline');
  v_new := amended(v_task, p_changes, p_now);
  update finished
  set run_at       = v_new.run_at,
      deadline     = case when p_changes ? 'deadline' then v_new.deadline else deadline end,
      parent       = v_new.parent,
      priority     = v_new.priority,
      version      = v_new.version,
      max_attempts = v_new.max_attempts,
      max_running  = v_new.max_running,
      timeout      = v_new.timeout,
      retention    = v_new.retention,
      submitted_by = v_new.submitted_by,
      groups       = v_new.groups,
      tags         = v_new.tags,
      backoff      = v_new.backoff,
      meta         = v_new.meta,
      payload      = v_new.payload
  where id = p_id;
  perform note_events('amend', array[p_id], array[v_old.queue]);
  return true;
end;
$$;
