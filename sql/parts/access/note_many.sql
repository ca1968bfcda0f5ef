-- note_many() — writes down in the audit which tasks a verb dealt with; the first 1000 by their ids

create or replace function note_many(p_action text, p_ids bigint[])
  returns void
  language plpgsql
as $$
begin
  if not is_called() then
    return;
  end if;
  perform note_action(
    p_action, 'tasks', null,
    jsonb_build_object('count', coalesce(cardinality(p_ids), 0), 'ids', coalesce(to_jsonb(p_ids[: 1000]), '[]')));
end;
$$;
