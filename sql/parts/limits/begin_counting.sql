-- begin_counting() — from now on the running tasks of a queue are counted
--
-- A queue gets its counter with its first limit and keeps it. Claims under way are
-- waited for, and new ones wait; so are ends under way, which did not know that
-- they would be counted. So the count begins true.
--
-- The rows are written, not only locked: an end with an older snapshot (repeatable
-- read, serializable) does not see that its slot is counted and would keep it. On a
-- changed row it is a serialization failure. A caller with such a snapshot does not see
-- the claims it waited for, and would count too few.

create or replace function begin_counting(p_queue text)
  returns void
  language plpgsql
as $$
declare
  v_ids bigint[];
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    perform refuse(
      'TK004',
      format('the first limit of queue %s cannot be set at isolation level %s', p_queue, current_setting('transaction_isolation')),
      'Call set_queue() in a transaction at read committed: begin isolation level read committed.');
  end if;
  perform shut_gate(p_queue);
  v_ids := array(
    select tasks.id
    from claims
    cross join lateral unnest(claims.tasks) as held (id)
    join tasks on tasks.id = any (array[held.id]) and tasks.claim = claims.id
    where claims.queue = p_queue
    order by held.id
    for no key update of tasks
  );
  update tasks set claim = claim where id = any (v_ids);

  perform lock_groups(array['@' || p_queue], clock_timestamp());
  update queues set is_counted = true where name = p_queue;
  update groups set running = running_in(name) where name = '@' || p_queue;
end;
$$;
