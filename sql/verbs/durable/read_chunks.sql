-- read_chunks() — the stream of a task, after a place
--
--   select * from read_chunks(42, p_after => 17);
--
-- A reader that remembers the last place it saw goes on from there. The rows end with the stream as
-- far as it was written; the view task tells whether more may come. A caller that may not see all
-- tasks reads the streams of those it enqueued.

create or replace function read_chunks(p_id bigint, p_after bigint default 0, p_limit integer default 1000)
  returns table (place bigint, at timestamptz, attempt integer, chunk jsonb)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_by  text := submitter();
  v_own boolean;
begin
  perform check_round(p_limit);
  select submitted_by = v_by into v_own from stored_task where id = p_id and row_id = any (rows_of(array[p_id]));
  if v_own is null or not (v_own or has_table_privilege(v_by, 'task', 'select')) then
    perform refuse_unknown(p_id);
  elsif not v_own then
    perform require_tasks('operate', array[p_id]);
  end if;
  return query
    select written.place, written.at, written.attempt, written.chunk
    from chunks as written
    where written.task = p_id and written.place > coalesce(p_after, 0)
    order by written.place
    limit p_limit;
end;
$$;
