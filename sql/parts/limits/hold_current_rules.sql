-- hold_current_rules() — makes a claim with an old snapshot fail instead of reading old rules
--
-- At repeatable read or serializable a claim may not see that its queue has got its first
-- limit, or was paused, since the transaction began: it would start tasks that are never
-- counted. To lock a row that has changed since the snapshot is a serialization failure
-- (40001), and so is to insert one that exists unseen. Called before claim() waits for
-- anything, so that it never holds what set_queue() waits for.

create or replace function hold_current_rules(p_queue text)
  returns void
  language plpgsql
as $$
begin
  perform from queues where name = p_queue for share;
  if not found then
    insert into queues (name) values (p_queue) on conflict (name) do nothing;
  end if;
end;
$$;
