-- Which tasks an operation is about, page by page.

-- find_operation_page() — the next tasks of an operation, those of them that it acts on, and where to go on
--
-- Of a frozen set, a task is left alone if it has started or ended since: `refusal` says so.
-- Whether it is ready or blocked by now does not matter.

create or replace function find_operation_page(
  p_operation operations, p_limit integer, out ids bigint[], out fitting bigint[], out next bigint, out refusal text
)
  language plpgsql
as $$
declare
  c_page   constant integer := operation_page_size();
  v_filter jsonb := operation_filter(p_operation);
begin
  if p_operation.total is null then
    -- Not page_tasks(): of these nothing is read but the ids.
    select found.ids, found.ids, found.next into ids, fitting, next
    from search_tasks(v_filter, p_operation.last_id, p_limit, '500 ms') as found;
    return;
  end if;
  select coalesce(array_agg(given.id order by given.id desc), '{}') into ids
  from (
    select frozen.id
    from (
      select operation_pages.ids from operation_pages
      where operation = p_operation.id and lowest < p_operation.last_id
      order by lowest desc
      limit p_limit / c_page + 2
    ) as page
    cross join lateral unnest(page.ids) as frozen (id)
    where frozen.id < p_operation.last_id
    order by frozen.id desc
    limit p_limit
  ) as given;
  next := ids[p_limit];
  fitting := (
    search_tasks(
      v_filter || jsonb_build_object('ids', ids, 'states', stored_states(v_filter -> 'states')), null, p_limit, '1 day')
  ).ids;
  if cardinality(fitting) < cardinality(ids) then
    refusal := format('task %s has started, ended or changed since the operation began',
                      (select max(id) from unnest(ids) as given (id) where id <> all (fitting)));
  end if;
end;
$$;

-- freeze_operation() — writes down which tasks an operation is about, if their state changes by itself
--
-- A task is ready one moment and blocked the next, as its groups fill and empty. Such a filter
-- is asked once, at one snapshot, and the operation then acts on what it found. Filters
-- on what a verb must write (queued, running and queued, done …) need no list.

create or replace function freeze_operation(p_operation operations)
  returns void
  language plpgsql
as $$
declare
  c_queued constant text[] := '{scheduled,retrying,blocked,ready}';
  v_filter jsonb := operation_filter(p_operation);
  v_live   text[] := array(
    select state from jsonb_array_elements_text(v_filter -> 'states') as given (state)
    where state = 'running' or state = any (c_queued));
begin
  if v_live = '{}' or v_live @> c_queued then
    return;
  end if;
  insert into operation_pages (operation, lowest, ids)
  select p_operation.id, page.ids[cardinality(page.ids)], page.ids
  from list_task_pages(v_filter, p_operation.last_id, operation_page_size()) as page;
  update operations
  set total = (select coalesce(sum(cardinality(ids)), 0) from operation_pages where operation = p_operation.id)
  where id = p_operation.id;
end;
$$;

-- list_task_pages() — all tasks that match a filter, in pages of ids
--
-- Stable, so that every page is read with the snapshot of the statement that calls it.

create or replace function list_task_pages(p_filter jsonb, p_before bigint, p_size integer)
  returns table (ids bigint[])
  language plpgsql
  stable
as $$
declare
  v_page   record;
  v_before bigint := p_before;
begin
  loop
    v_page := search_tasks(p_filter, v_before, p_size, '1 day');
    if v_page.ids <> '{}' then
      ids := v_page.ids;
      return next;
    end if;
    v_before := v_page.next;
    exit when v_before is null;
  end loop;
end;
$$;

-- operation_page_size() — how many ids a row of operation_pages has

create or replace function operation_page_size()
  returns integer
  language sql
  immutable
as $$
  select 1000;
$$;

-- stored_states() — the states that a task may have while its row says what these states said
--
-- A queued task is scheduled, retrying, blocked or ready without being written.

create or replace function stored_states(p_states jsonb)
  returns jsonb
  language sql
  immutable
as $$
  select case
    when p_states ?| '{scheduled,retrying,blocked,ready}'
    then p_states || '["scheduled", "retrying", "blocked", "ready"]'
    else p_states
  end;
$$;
