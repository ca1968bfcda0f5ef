-- running_in() — how many tasks of a group, or of a queue, really run

create or replace function running_in(p_group text)
  returns integer
  language sql
  stable
as $$
  select count(*)::integer
  from claims
  cross join lateral unnest(claims.tasks) as held (id)
  join tasks on tasks.id = any (array[held.id]) and tasks.claim = claims.id
  where case
    when left(p_group, 1) = '@' then claims.queue = substr(p_group, 2)
    else p_group = any (tasks.groups)
  end;
$$;
