-- write_chunks(): running, with more of its stream
--
-- For the holder of the claim. A stream is a list of JSON values in the order in which they were
-- written, kept with the task. Answers with the place of the last, counted from 1.

create or replace function write_chunks(p_id bigint, p_claim bigint, p_chunks jsonb[])
  returns bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_task tasks;
  v_last bigint;
begin
  perform check_list('p_chunks', p_chunks);
  perform check_sizes('chunk', p_chunks);
  v_task := hold_task(p_id, p_claim);
  v_last := coalesce((select place from chunks where task = p_id order by place desc limit 1), 0);
  if v_last + coalesce(cardinality(p_chunks), 0) > bound('chunks') then
    perform refuse('TK005', format('the stream of task %s would have more than %s chunks', p_id, bound('chunks')),
                   'Write larger chunks, or store the data elsewhere.');
  end if;
  insert into chunks (task, place, attempt, chunk)
  select p_id, v_last + place, v_task.attempt, coalesce(chunk, 'null')
  from unnest(p_chunks) with ordinality as given (chunk, place);
  perform record_events('write', array[p_id], array[v_task.queue]);
  return v_last + coalesce(cardinality(p_chunks), 0);
end;
$$;
