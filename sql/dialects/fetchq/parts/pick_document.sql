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
  v_one   record;
begin
  select name into v_queue
  from queues
  where name = lower(par_queue) and not is_told(config) and not exists (select from planned where queue = queues.name);
  if not found or v_lock is null then
    return;
  end if;
  v_one := claim_one(v_queue, 'document', par_version, caller(), greatest(v_lock, interval '1 microsecond'));
  if v_one.id is null then
    return;
  end if;

  -- Only what came back, or was planned since, has a story.
  if v_one.run_at <> v_one.created_at or v_one.attempt > 1 or v_one.iteration > 0 then
    select rounds.rejects, rounds.last_iteration into iterations, last_iteration from rounds where task = v_one.id;
    perform promote(v_queue, v_one.id);
  end if;
  insert into metrics_writes (created_at, queue, metric, increment) values (now(), v_queue, '@pick', 1);
  select v_one.claim, v_one.key, v_one.payload, v_one.priority, v_one.attempt, v_one.iteration + coalesce(iterations, 0),
         v_one.created_at, v_one.expires_at
  into token, subject, payload, priority, attempts, iterations, created_at, next_iteration;
end;
$$;
