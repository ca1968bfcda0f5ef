-- pause_group() — nothing more of a group starts, in any queue; what runs goes on

create or replace function pause_group(p_group text)
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
  perform lock_groups(array[p_group], clock_timestamp(), p_creates => true);
  update groups set paused_at = coalesce(paused_at, clock_timestamp()) where name = p_group;
  perform recall_unstarted(p_group);
  perform audit_change('pause_group', 'group', p_group, v_before);
end;
$$;
