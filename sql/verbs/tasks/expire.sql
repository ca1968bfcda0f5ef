-- expire(): queued, past its deadline → failed
--
-- claim() never hands out a task that is past its deadline; this moves it away.
-- Answers with the ids that expired.

create or replace function expire(p_limit integer default 1000)
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  c_error constant jsonb := '{"code": "expired", "message": "its deadline was over before it ran"}';
  v_ids bigint[];
begin
  perform check_round(p_limit);
  v_ids := array(
    select id
    from tasks
    where deadline <= clock_timestamp() and claim is null
    order by deadline
    limit p_limit
    for no key update skip locked
  );
  insert into failures (at, queue, task, reason, code, message)
  select clock_timestamp(), queue, id, 'expired', error_code(c_error), error_message(c_error)
  from tasks where id = any (v_ids);
  return query
    select * from unnest(end_tasks(
      v_ids, array_fill(null::bigint, array[cardinality(v_ids)]), 'failed',
      array_fill('expired'::text, array[cardinality(v_ids)]), null,
      array_fill(c_error, array[cardinality(v_ids)])));
end;
$$;
