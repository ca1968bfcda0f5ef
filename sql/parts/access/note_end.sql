-- note_end() — writes down in the audit how an operation ended, in the name of whoever started it

create or replace function note_end(p_operation operations)
  returns void
  language plpgsql
as $$
begin
  if p_operation.caller is not null then
    perform write_audit(
      p_operation.caller, 'end_operation', 'operation ' || p_operation.id, null,
      jsonb_build_object('state', p_operation.state, 'matched', p_operation.matched, 'done', p_operation.done,
                         'refused', p_operation.refused, 'error', p_operation.error));
  end if;
end;
$$;
