-- act_on_tasks() — does what an operation is for to some tasks; answers how many let it
--
-- Tasks that refuse are left as they are, and the last of their refusals is told.

create or replace function act_on_tasks(p_operation operations, p_ids bigint[], out done bigint, out refusal text)
  language plpgsql
as $$
declare
  -- So many share a subtransaction as long as none refuses: one each would be too many
  -- for the snapshots of others.
  c_together constant integer := 50;
  v_ids  bigint[];
  v_id   bigint;
begin
  perform require_tasks('operate', p_ids);
  case p_operation.action
    when 'cancel' then
      done := coalesce(cardinality(cancel_tasks(p_ids)), 0);
      return;
    when 'delete' then
      select count(*) into done from delete_many(p_ids);
      return;
    else
      null;
  end case;

  -- One by one, and all of it until the page is done: a worker that holds one of them may wait for another's group.
  perform hold_tasks(p_ids, clock_timestamp());
  done := 0;
  for i in 0 .. (cardinality(p_ids) - 1) / c_together loop
    v_ids := p_ids[i * c_together + 1 : (i + 1) * c_together];
    begin
      perform act_on_task(p_operation, id) from unnest(v_ids) as id order by id;
      done := done + cardinality(v_ids);
      continue;
    exception when sqlstate 'TK002' or sqlstate 'TK003' or sqlstate 'TK004' or sqlstate 'TK005' or sqlstate 'TK006' then
      null;
    end;
    foreach v_id in array v_ids loop
      begin
        perform act_on_task(p_operation, v_id);
        done := done + 1;
      exception when sqlstate 'TK002' or sqlstate 'TK003' or sqlstate 'TK004' or sqlstate 'TK005' or sqlstate 'TK006' then
        refusal := sqlerrm;
      end;
    end loop;
  end loop;
end;
$$;
