-- named_tasks() — the only tasks that can match a filter, if there is an index that names them
--
-- The newest first; none, if what is blocked is asked for and nothing can be. Null when there
-- is no such index: then the tables have to be looked through.

create or replace function named_tasks(
  p_want task_filter, p_workers text[], p_shut text[], p_busy text[], p_before bigint
)
  returns bigint[]
  language plpgsql
  stable
as $$
begin
  if p_want.ids is not null then
    return array(select distinct id from unnest(p_want.ids) as given (id) where id < p_before order by id desc);
  end if;
  if p_want.key is not null then
    return array(
      select distinct named.id
      from (
        select keys.task
        from (select distinct queue from lanes) as known
        join keys on keys.queue = any (array[known.queue]) and keys.key = p_want.key
        union all
        select id from tasks where key = p_want.key and frees_key
        union all
        select id from finished where key = p_want.key
        -- To be found by key, whatever is asked of the id.
        offset 0
      ) as named (id)
      where named.id < p_before
      order by named.id desc);
  end if;
  if p_want.states = '{running}' then
    return array(
      select distinct held.id
      from claims
      cross join lateral unnest(claims.tasks) as held (id)
      where held.id < p_before and (p_workers is null or claims.worker = any (p_workers))
        and (p_want.queue is null or claims.queue = p_want.queue)
      order by held.id desc);
  end if;
  if p_want.states = '{blocked}' and p_shut = '{}' and p_busy = '{}'
     and not exists (select from tasks where parked_on is not null) then
    return '{}';
  end if;
  return null;
end;
$$;
