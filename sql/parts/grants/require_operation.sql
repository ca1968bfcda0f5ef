-- require_operation() — refuses a caller that neither started an operation nor may operate every queue

create or replace function require_operation(p_operation operations)
  returns void
  language plpgsql
as $$
begin
  if not sees_all() and not is_member_of(submitter(), array[p_operation.started_by]) then
    perform refuse('TK013', format('operation %s was started by role %s', p_operation.id, p_operation.started_by),
                   format('Call as a member of that role, or let an admin grant operate on * to %s.', submitter()));
  end if;
end;
$$;
