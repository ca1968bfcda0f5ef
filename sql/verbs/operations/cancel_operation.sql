-- cancel_operation() — an operation goes no further; what it did stays done
--
-- Waits for the page that is under way. Once more changes nothing.

create or replace function cancel_operation(p_id bigint)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_op operations;
begin
  select * into v_op from operations where id = p_id for update;
  if not found then
    perform refuse_no_operation(p_id);
  end if;
  perform require_operation(v_op);
  if v_op.state in ('done', 'failed') then
    perform refuse('TK003', format('operation %s is %s and cannot be cancelled', p_id, v_op.state),
                   'Only a running operation can be cancelled.');
  end if;
  if v_op.state = 'cancelled' then
    return;
  end if;
  update operations set state = 'cancelled', ended_at = clock_timestamp() where id = p_id;
  delete from operation_pages where operation = p_id;
  perform audit_action('cancel_operation', 'operation ' || p_id, null,
                      jsonb_build_object('matched', v_op.matched, 'done', v_op.done, 'refused', v_op.refused));
end;
$$;
