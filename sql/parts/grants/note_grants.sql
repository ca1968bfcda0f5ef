-- note_grants() — remembers whether there are grants at all, and writes the change into the audit

create or replace function note_grants(p_action text, p_queue text, p_before jsonb)
  returns void
  language plpgsql
as $$
begin
  update queues set has_grants = exists (select from queue_grants)
  where name = '*' and has_grants <> exists (select from queue_grants);
  if found then
    perform guard_views();
  end if;
  perform note_action(p_action, 'queue ' || p_queue, p_before, describe_grants(p_queue));
end;
$$;
