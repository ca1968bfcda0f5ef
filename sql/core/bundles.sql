-- Bundles: tasks that come put together by their producer.
--
-- A bundle is an element of new_task with a size: so many tasks that are alike, whose payload is
-- an array with the payload of each. It is stored as a pack, as it came: taking a thousand payloads
-- apart and putting them together again took two thirds of the time of a bulk (docs/decisions/0027).
-- What cannot be a pack is unbundled first, so that all rules hold for each task by itself.

-- are_packs() — whether each of these bundles can be a row, and breaks no rule

create or replace function are_packs(p_tasks new_task[], p_sizes integer[], p_now timestamptz)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return (
    select sum(p_sizes[ordinality]) <= bound('bulk') and bool_and(
      p_sizes[ordinality] <= bound('pack')
      and fault_code(
        row(queue, payload, handler, kind, priority, run_at, key, on_duplicate, "window", frees_key, groups,
            max_running, tags, version, max_attempts, backoff, timeout, deadline, retention, parent, meta, after,
            after_failure)::new_task,
        p_now) is null
      and pg_column_size(payload) <= bound('pack bytes')
      and coalesce(pg_column_size(meta) <= bound('meta'), true)
      and coalesce(kind, 'handler') = 'handler' and num_nonnulls(key, groups, deadline, frees_key, after) = 0)
    from unnest(p_tasks) with ordinality);
end;
$$;

-- lay_out_packs() — bundles as rows, with their ids: cut where the ids leave a gap
--
-- Another session that stores tasks at the same moment may have the ids between.

create or replace function lay_out_packs(
  p_tasks new_task[], p_sizes integer[], p_ids bigint[],
  out tasks new_task[], out ids bigint[], out sizes integer[]
)
  language plpgsql
as $$
declare
  v_task new_task;
  v_at   integer := 1;
  v_rows integer := 0;
  v_from integer;
  v_to   integer;
begin
  for i in 1 .. cardinality(p_tasks) loop
    v_task := p_tasks[i];
    v_from := 0;
    while v_from < p_sizes[i] loop
      v_to := p_sizes[i];
      while p_ids[v_at + v_to - 1] - p_ids[v_at + v_from] > v_to - 1 - v_from loop
        v_to := v_to - 1;
      end loop;
      if v_to - v_from < p_sizes[i] then
        v_task.payload := slice_of((p_tasks[i]).payload, v_from, v_to - v_from);
      end if;
      v_rows := v_rows + 1;
      tasks[v_rows] := v_task;
      ids[v_rows] := p_ids[v_at + v_from];
      sizes[v_rows] := v_to - v_from;
      v_from := v_to;
    end loop;
    v_at := v_at + p_sizes[i];
  end loop;
end;
$$;

-- unbundle_tasks() — the tasks of bundles, one by one

create or replace function unbundle_tasks(p_tasks new_task[], p_sizes integer[])
  returns new_task[]
  language plpgsql
as $$
declare
  v_task  new_task;
  v_tasks new_task[];
  v_count integer := 0;
begin
  for i in 1 .. cardinality(p_tasks) loop
    v_task := p_tasks[i];
    for v_place in 0 .. p_sizes[i] - 1 loop
      if p_sizes[i] > 1 then
        v_task.payload := (p_tasks[i]).payload -> v_place;
      end if;
      v_count := v_count + 1;
      v_tasks[v_count] := v_task;
    end loop;
  end loop;
  return v_tasks;
end;
$$;

-- check_bundles() — refuses sizes that do not fit the payloads

create or replace function check_bundles(p_payloads jsonb[], p_sizes integer[])
  returns void
  language plpgsql
as $$
begin
  if not is_list(p_sizes) or cardinality(p_sizes) is distinct from cardinality(p_payloads) or exists (
    select from unnest(p_sizes, p_payloads) as bundle (size, payload)
    where size is null or size < 1
      or (size > 1 and case when jsonb_typeof(payload) = 'array' then jsonb_array_length(payload) else 0 end <> size)
  ) then
    perform refuse('TK004', 'the sizes do not match the payloads',
                   'Give one size per element of p_payloads; above 1, the payload is an array of so many payloads.');
  end if;
end;
$$;
