-- delete_many(): any → gone, many at once
--
-- Answers with the ids that were there. Those that run lose their leases, as if they
-- had been cancelled.
--
-- One call is one transaction, and holds the rows of all its tasks until it commits. Call it
-- for about 1,000 at a time, each call committed by itself, as the client does.

create or replace function delete_many(p_ids bigint[])
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_live   bigint[];
  v_claims bigint[];
  v_ended  bigint[];
  v_queues text[];
  v_keys   text[];
  v_ids    bigint[] := '{}';
begin
  perform require_tasks('operate', p_ids);
  perform split_packs(p_ids);
  perform cancel_tasks(find_children(p_ids));
  loop
    select array_agg(live.id), array_agg(live.claim) into v_live, v_claims
    from (
      select id, claim from tasks where id = any (p_ids) order by id for no key update
    ) as live;
    perform notify_cancelled(v_live, v_claims);
    v_ids := v_ids || end_tasks(v_live, v_claims, null);

    with gone as (
      delete from finished where id = any (p_ids) returning id, queue, key
    )
    select array_agg(id), array_agg(queue), array_agg(key) into v_ended, v_queues, v_keys from gone;
    if v_ended is not null then
      perform free_keys(v_ended, v_queues, v_keys, null, clock_timestamp());
      perform record_events('delete', v_ended, v_queues);
      v_ids := v_ids || v_ended;
    end if;
    -- One may have been retried between the two looks.
    exit when not exists (select from tasks where id = any (p_ids));
  end loop;
  perform delete_traces(p_ids);
  perform audit_tasks('delete_many', v_ids);
  return query select unnest(v_ids);
end;
$$;
