-- complete(): running → done
--
-- For the holder of the claim; anybody else is told that the lease is lost.

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
declare
  v_ended record;
begin
  perform check_size('output', 'the output of the task', p_output);
  v_ended := end_one('done', p_id, p_claim, p_output => p_output, p_started_at => p_started_at);
  if v_ended.id is null then
    perform require_held(p_id, p_claim, false);
  end if;
end;
$$;
