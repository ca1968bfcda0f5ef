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
begin
  perform require_held(p_id, p_claim, p_claim is not null and
    finish(array[p_id], array[p_claim], 'done', null, array[p_output], null, array[p_started_at]) <> '{}');
end;
$$;
