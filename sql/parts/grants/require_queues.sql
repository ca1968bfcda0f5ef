-- require_queues() — refuses a caller that lacks a right on one of these queues, and names it
--
-- Each verb that names queues asks this once, when has_grants() says so.

create or replace function require_queues(p_right text, p_queues text[])
  returns void
  language plpgsql
as $$
declare
  v_by    text := submitter();
  v_queue text;
begin
  select given.queue into v_queue
  from (select distinct unnest(p_queues) as queue) as given
  where given.queue is not null and not may_use(p_right, given.queue, v_by)
  order by given.queue
  limit 1;
  if v_queue is not null then
    perform refuse_queue(p_right, 'queue', v_queue, v_by,
                         case when cardinality(p_queues) > 1 then array_position(p_queues, v_queue) end);
  end if;
end;
$$;
