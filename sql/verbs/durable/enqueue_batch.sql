-- enqueue_batch(): → queued, many tasks and one that comes after all of them
--
--   select * from enqueue_batch('[{"queue": "page"}, {"queue": "page"}]', '{"queue": "book"}', 'run');
--
-- p_final is enqueued to come after the others; p_after_failure says what becomes of it if one of
-- them does not succeed: fail (as when left out), skip or run. Answers with the ids in the order given, the
-- final task last.

create or replace function enqueue_batch(p_tasks jsonb, p_final jsonb, p_after_failure text default null)
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_tasks new_task[] := read_tasks(p_tasks);
  v_final new_task[] := read_tasks(jsonb_build_array(p_final));
  v_ids   bigint[];
begin
  if cardinality(v_tasks) = 0 or (v_final[1]).after is not null then
    perform refuse('TK004', 'a batch needs tasks, and a final task that comes after them alone',
                   'Give an array of tasks, and a final task without "after".');
  end if;
  select stored.ids into v_ids from store_tasks(v_tasks) as stored;
  v_final[1].after := v_ids;
  v_final[1].after_failure := p_after_failure;
  return query
    select unnest(v_ids || stored.ids) from store_tasks(v_final) as stored;
end;
$$;
