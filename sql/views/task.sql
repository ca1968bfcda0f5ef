-- task — every task of the queues that the reader may operate
--
-- All there are, as long as no queue has grants. The condition is spelled out, here and in
-- other views, because a reader of a view needs the right to every function it calls; it is
-- that of may_use(). See guard_views() for what keeps a reader's own functions away from the rest.

create view task as
  select *
  from stored_task
  where (select not has_grants from queues where name = '*')
    or coalesce((
      select bool_or(may_operate)
      from reader_grant as held
      where held.queue = stored_task.queue
        or (right(held.queue, 1) = '*' and starts_with(stored_task.queue, left(held.queue, -1)))), true);
