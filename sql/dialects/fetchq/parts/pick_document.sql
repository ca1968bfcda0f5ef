-- pick_document() — claims the next due document of a version; nulls when there is more to it
--
-- Nearly always nobody listens and nothing is planned, and one is asked for: preparing for
-- the rest takes longer than the pick. What is not found here, pick_documents() looks for.

create or replace function pick_document(
  par_queue varchar, par_version integer, par_duration varchar,
  out token          bigint,
  out subject        varchar,
  out payload        jsonb,
  out priority       integer,
  out attempts       integer,
  out iterations     bigint,
  out created_at     timestamptz,
  out last_iteration timestamptz,
  out next_iteration timestamptz
)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_queue varchar;
  v_lock  interval := read_interval(par_duration);
  v_task  bigint;
  v_new   boolean;
begin
  select name into v_queue
  from queues
  where name = lower(par_queue) and not is_told(config) and not exists (select from planned where queue = queues.name);
  if not found or v_lock is null then
    return;
  end if;
  select one.id, one.run_at = one.created_at and one.attempt = 1 and one.iteration = 0, one.claim, one.key, one.payload,
         one.priority, one.attempt, one.iteration, one.created_at, one.expires_at
  into v_task, v_new, token, subject, payload, priority, attempts, iterations, created_at, next_iteration
  from claim_one(v_queue, 'document', par_version, caller(), greatest(v_lock, interval '1 microsecond')) as one;
  if v_task is null then
    return;
  end if;

  -- Only what came back, or was planned since, has a story.
  if not v_new then
    select pick_document.iterations + coalesce(rounds.rejects, 0), rounds.last_iteration
    into iterations, last_iteration
    from (select v_task as id) as picked
    left join rounds on rounds.task = any (array[picked.id]);
    perform promote(v_queue, v_task);
  end if;
  insert into metrics_writes (created_at, queue, metric, increment) values (now(), v_queue, '@pick', 1);
end;
$$;
