-- note_change() — writes down in the audit what a verb made of something
--
-- p_before is what described() said before. Of something that was there and still is,
-- only what differs is kept, and of a task its queue. The template of a schedule is
-- compared with its payload and kept without it.

create or replace function note_change(p_action text, p_kind text, p_name text, p_before jsonb, p_more jsonb default null)
  returns void
  language plpgsql
as $$
declare
  v_after jsonb;
  v_both  text[];
begin
  if not is_called() then
    return;
  end if;
  v_after := describe(p_kind, p_name);
  if v_after is not null and p_before is not null then
    v_both := array(
      select key from jsonb_object_keys(v_after) as key
      where key <> 'queue' and v_after -> key is not distinct from p_before -> key);
  end if;
  if p_kind = 'schedule' then
    v_after := v_after || jsonb_build_object('task', without_load(v_after -> 'task', p_before -> 'task'));
    p_before := p_before || jsonb_build_object('task', without_load(p_before -> 'task'));
  end if;
  perform note_action(p_action, p_kind || ' ' || p_name, p_before - coalesce(v_both, '{}'),
                      case when p_more is null then v_after - coalesce(v_both, '{}')
                           else coalesce(v_after - coalesce(v_both, '{}'), '{}') || p_more end);
end;
$$;
