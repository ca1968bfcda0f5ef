-- recall_unstarted() — asks workers to give back what they claimed of a group and have not started
--
-- When its limit is now below what is claimed, or it is paused. A worker claims ahead, and
-- what waits in its buffer counts as running: without this it would still start. Of a queue
-- the name is '@' || queue. A worker that does not listen starts what it holds.

create or replace function recall_unstarted(p_group text)
  returns void
  language plpgsql
as $$
begin
  -- A longer message is an error; no name of a group in single-byte letters is that long.
  if octet_length(p_group) < 8000 then
    perform pg_notify(current_schema() || ':limits', p_group);
  end if;
end;
$$;
