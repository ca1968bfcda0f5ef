-- set_group() — changes the limits of a group; they hold from the next claim on
--
--   select set_group('customer 42', '{"max_running": 2, "gap": "1 second"}');
--
--   max_running  at most so many of its tasks run at once, in all queues together
--   gap          at least so long between two starts, or with gap_from = end
--                between the end of one and the start of the next
--   rate         at most so many starts in any rate_window
--   weight       its share in a fair queue
--
-- What is not named stays as it is; null lifts the limit. Tasks above a lowered
-- limit finish; nothing new starts until there is room.

create or replace function set_group(p_group text, p_settings jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('group', p_group);
begin
  perform check_group(p_group);
  if has_grants() then
    perform require_groups('operate', array[p_group]);
  end if;
  perform check_settings(p_settings, '{max_running,gap,gap_from,rate,rate_window,weight}');
  perform change_group(p_group, p_settings);
  perform audit_change('set_group', 'group', p_group, v_before);
end;
$$;
