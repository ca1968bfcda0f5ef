-- page_tasks() — a page of tasks, the newest first
--
--   select * from page_tasks('{"queue": "mail", "states": ["failed"]}', p_limit => 50);
--
-- Of those that match all of p_filter: queue, states, key, handler, kind, tag, group, parent,
-- reason, worker, host, error (a fingerprint), code, text (in payload, SQL or error message,
-- in any case), submitted_by, created_after, created_before, run_after, run_before,
-- finished_after, finished_before and ids. For the next page give next as p_before; null
-- means that all tasks were looked at. No page takes much longer than p_within, or has more
-- than 8 MB of JSON, unless its one task has: a page may be short, or empty, and have a next.
--
-- Tasks are found by id, so a page costs the same however many tasks there are, and none is
-- ever given twice or passed over while others come and go.

create or replace function page_tasks(
  p_filter jsonb    default '{}',
  p_before bigint   default null,
  p_limit  integer  default 100,
  p_within interval default '200 ms',
  out ids  bigint[],
  out next bigint
)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  c_most_bytes constant bigint := 8388608;
  v_fitting    bigint[];
begin
  if p_limit is null or p_limit not between 1 and 10000 then
    perform refuse('TK004', format('the limit of a page cannot be %s', coalesce(p_limit::text, 'null')),
                   'Give a limit from 1 to 10000.');
  end if;
  if p_within is null or p_within < interval '0' then
    perform refuse('TK004', format('p_within cannot be %s', coalesce(p_within::text, 'null')),
                   'Give an interval such as ''200 ms''.');
  end if;
  select found.ids, found.next into ids, next from search_tasks(p_filter, p_before, p_limit, p_within) as found;
  v_fitting := first_tasks_within(ids, c_most_bytes);
  if cardinality(v_fitting) < cardinality(ids) then
    ids := v_fitting;
    next := ids[cardinality(ids)];
  end if;
end;
$$;

-- first_tasks_within() — the first of these tasks that fit into so many bytes of JSON; at least one
--
-- p_ids has the newest first. Sizes are those of the JSON that a reader gets: stored
-- values are compressed, up to a hundred times. Read by fifties, so that a page of large
-- tasks unpacks few of them.

create or replace function first_tasks_within(p_ids bigint[], p_bytes bigint)
  returns bigint[]
  language plpgsql
  stable
as $$
declare
  c_chunk constant integer := 50;
  v_bytes bigint := 0;
  v_count integer := 0;
  v_chunk bigint[];
  v_size  bigint;
begin
  for v_from in 1 .. cardinality(p_ids) by c_chunk loop
    v_chunk := p_ids[v_from : v_from + c_chunk - 1];
    for v_size in
      select sized.bytes
      from (
        select id + n as id,
          octet_length((case when size > 1 then payload -> n else coalesce(payload, (
            select large.payload from payloads as large where large.task = tasks.id)) end)::text)
          + coalesce(octet_length(meta::text), 0) + coalesce(octet_length(progress::text), 0) as bytes
        from tasks
        cross join lateral generate_series(0, size - 1) as n
        where id = any (rows_of(v_chunk))
        union all
        select id + n,
          octet_length((case when size > 1 then payload -> n else coalesce(payload, (
            select large.payload from payloads as large where large.task = finished.id)) end)::text)
          + coalesce(octet_length(meta::text), 0)
          + coalesce(octet_length((case when size = 1 then output else output -> n end)::text), 0)
          + coalesce(octet_length(error::text), 0)
        from finished
        cross join lateral generate_series(0, size - 1) as n
        where id = any (rows_of(v_chunk))
      ) as sized
      where sized.id = any (v_chunk)
      order by sized.id desc
    loop
      v_bytes := v_bytes + v_size;
      if v_bytes > p_bytes and v_count > 0 then
        return p_ids[:v_count];
      end if;
      v_count := v_count + 1;
    end loop;
  end loop;
  return p_ids;
end;
$$;
