-- groups_in_doubt() — groups whose counter differs from what is seen to run
--
-- All groups in one pass over what is claimed. In the order in which groups are
-- locked.

create or replace function groups_in_doubt()
  returns text[]
  language sql
  stable
as $$
  select coalesce(array_agg(groups.name order by left(groups.name, 1) <> '@', groups.name), '{}')
  from groups
  left join (
    select given.name, count(*) as n
    from claims
    cross join lateral unnest(claims.tasks) as held (id)
    join tasks on tasks.id = any (array[held.id]) and tasks.claim = claims.id
    left join queues on queues.name = tasks.queue
    cross join lateral unnest(
      tasks.groups || case when queues.is_counted then '@' || tasks.queue end
    ) as given (name)
    where given.name is not null
    group by given.name
  ) as actual on actual.name = groups.name
  where groups.running <> coalesce(actual.n, 0);
$$;
