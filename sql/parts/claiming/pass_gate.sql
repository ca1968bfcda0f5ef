-- pass_gate() — lets a claim into its queue; false when begin_counting() keeps the gate shut
--
-- The weakest lock on a table without rows: claims never wait for one another, and not for
-- long for a gate that is shut. Call it before the settings of the queue are read: what
-- begin_counting() has changed is then seen.

create or replace function pass_gate(p_queue text)
  returns boolean
  language plpgsql
  set lock_timeout = '250ms'
as $$
begin
  case gate_of(p_queue)
    when 0 then perform from gate_0 for key share;
    when 1 then perform from gate_1 for key share;
    when 2 then perform from gate_2 for key share;
    when 3 then perform from gate_3 for key share;
    when 4 then perform from gate_4 for key share;
    when 5 then perform from gate_5 for key share;
    when 6 then perform from gate_6 for key share;
    when 7 then perform from gate_7 for key share;
  end case;
  return true;
exception when lock_not_available then
  return false;
end;
$$;
