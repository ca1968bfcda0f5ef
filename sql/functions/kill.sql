-- kill(): running → failed
--
-- The consumer gives the task up for good, whatever attempts are left.

create or replace function kill(p_id bigint, p_claim bigint, p_error jsonb default null)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_ended record;
begin
  v_ended := end_one('failed', p_id, p_claim, p_reason => 'killed', p_error => p_error);
  if v_ended.id is null then
    perform require_held(p_id, p_claim, false);
  end if;
end;
$$;
