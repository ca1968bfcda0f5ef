-- kill(): running → failed
--
-- The consumer gives the task up for good, whatever attempts are left.

create or replace function kill(p_id bigint, p_claim bigint, p_error jsonb default null)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if p_claim is null or end_tasks(
    array[p_id], array[p_claim], 'failed', array['killed'], p_errors => array[truncate_error(p_error)],
    p_right => 'consume', p_records_attempt => true) = '{}'
  then
    perform require_held(p_id, p_claim, false);
  end if;
end;
$$;
