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
    perform refuse('TK004', format('a page cannot have %s tasks', coalesce(p_limit::text, 'null')), 'Give a limit from 1 to 10000.');
  end if;
  if p_within is null or p_within < interval '0' then
    perform refuse('TK004', format('nothing can be found within %s', coalesce(p_within::text, 'null')),
                   'Give an interval such as ''200 ms''.');
  end if;
  select found.ids, found.next into ids, next from look_through(p_filter, p_before, p_limit, p_within) as found;
  v_fitting := fitting_tasks(ids, c_most_bytes);
  if cardinality(v_fitting) < cardinality(ids) then
    ids := v_fitting;
    next := ids[cardinality(ids)];
  end if;
end;
$$;
