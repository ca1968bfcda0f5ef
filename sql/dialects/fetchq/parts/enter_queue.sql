-- enter_queue() — the folded name of a queue, which is not dropped until this transaction is over
--
-- For callers that put something in, before the queue is looked up: queue_drop() finds all that was
-- put in before, and nothing comes after it. The weakest lock on a table without rows, so
-- callers never wait for one another.

create or replace function enter_queue(par_queue varchar)
  returns varchar
  language plpgsql
as $$
begin
  case hashtext(lower(par_queue)) & 7
    when 0 then perform from gate_0 for key share;
    when 1 then perform from gate_1 for key share;
    when 2 then perform from gate_2 for key share;
    when 3 then perform from gate_3 for key share;
    when 4 then perform from gate_4 for key share;
    when 5 then perform from gate_5 for key share;
    when 6 then perform from gate_6 for key share;
    when 7 then perform from gate_7 for key share;
    else null;
  end case;
  return lower(par_queue);
end;
$$;
