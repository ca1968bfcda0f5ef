-- operation_filter() — which tasks an operation is about
--
-- Those that were there when it began. Ids alone do not tell: producers draw them in
-- blocks ahead of time. Where the filter names no states, those that the action is for.

create or replace function operation_filter(p_operation operations)
  returns jsonb
  language plpgsql
as $$
declare
  v_filter jsonb := p_operation.filter;
begin
  if v_filter -> 'states' is null and v_filter -> 'reason' is null then
    v_filter := v_filter || case p_operation.action
      when 'cancel' then '{"states": ["scheduled", "retrying", "blocked", "ready", "running"]}'::jsonb
      when 'kill' then '{"states": ["running"]}'
      when 'retry' then '{"states": ["failed", "cancelled"]}'
      when 'move' then '{"states": ["scheduled", "retrying", "blocked", "ready"]}'
      when 'amend' then '{"states": ["scheduled", "retrying", "blocked", "ready"]}'
      else '{}'
    end;
  end if;
  return v_filter || jsonb_build_object(
    'created_before', least((v_filter ->> 'created_before')::timestamptz, p_operation.created_at));
end;
$$;
