-- keep_for() — how long a queue keeps tasks that ended in this state

create or replace function keep_for(p_queue text, p_state text)
  returns interval
  language plpgsql
  stable
as $$
declare
  v_rules queues := rules(p_queue);
begin
  return case p_state
    when 'done' then v_rules.keep_done
    when 'failed' then v_rules.keep_failed
    else v_rules.keep_cancelled
  end;
end;
$$;
