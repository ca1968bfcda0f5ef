-- resume_group() — a paused group starts tasks again

create or replace function resume_group(p_group text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_group(p_group);
  perform lock_groups(array[p_group], clock_timestamp());
  update groups set paused_at = null where name = p_group;
  perform reopen_group(p_group);
end;
$$;
