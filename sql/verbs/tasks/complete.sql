-- complete(): running → done
--
-- For the holder of the claim; for other callers it fails with "lease lost".

create or replace function complete(
  p_id         bigint,
  p_claim      bigint,
  p_output     jsonb       default null,
  p_started_at timestamptz default null
)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if pg_column_size(p_output) > bound('output') then
    perform check_outputs(array[p_id], array[p_output]);
  end if;
  if p_claim is null or end_tasks(
    array[p_id], array[p_claim], 'done', p_outputs => array[p_output], p_started_ats => array[p_started_at],
    p_right => 'consume') = '{}'
  then
    perform require_held(p_id, p_claim, false);
  end if;
end;
$$;
