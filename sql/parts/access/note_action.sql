-- note_action() — writes down in the audit what somebody did, if somebody did it
--
-- A door that acts for a person says for whom in the setting tusk.caller, for the
-- transaction: {"actor": "ada", "door": "http", "token": 7, "address": "::1", "request":
-- "…"}. Machines set nothing and pay for no row. The row is part of the transaction:
-- what is undone was not done.

create or replace function note_action(p_action text, p_object text, p_before jsonb, p_after jsonb)
  returns void
  language plpgsql
as $$
begin
  if is_called() then
    perform write_audit(read_caller(), p_action, p_object, p_before, p_after);
  end if;
end;
$$;
