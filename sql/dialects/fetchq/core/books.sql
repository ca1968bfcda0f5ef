-- Counters, notifications and log lines of documents.

-- tally() — writes down changes of counters; those of zero are none

create or replace function tally(p_queue varchar, p_metrics varchar[], p_increments bigint[])
  returns void
  language plpgsql
as $$
begin
  insert into metrics_writes (created_at, queue, metric, increment)
  select now(), p_queue, p_metrics[i], p_increments[i]
  from generate_subscripts(p_metrics, 1) as i
  where p_increments[i] <> 0;
end;
$$;

-- note_round() — remembers of a document what the engine counts otherwise

create or replace function note_round(p_task bigint, p_rejects integer, p_last timestamptz, p_next timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into rounds (task, rejects, last_iteration, next_iteration)
  values (p_task, p_rejects, p_last, p_next)
  on conflict (task) do update
    set rejects        = rounds.rejects + excluded.rejects,
        last_iteration = coalesce(excluded.last_iteration, rounds.last_iteration),
        next_iteration = excluded.next_iteration;
end;
$$;

-- promote() — counts a document as pending that was planned, if it was; true in any case

create or replace function promote(p_queue varchar, p_task bigint)
  returns boolean
  language plpgsql
as $$
begin
  delete from planned where task = p_task;
  if found then
    perform tally(p_queue, '{pnd,pln}', '{1,-1}');
  end if;
  return true;
end;
$$;

-- promote_documents() — takes documents off the plan; tells how many were on it
--
-- A call of its own, with a look of its own: the claim before it in the same statement
-- may have met documents that were planned after that statement began.

create or replace function promote_documents(p_tasks bigint[])
  returns bigint
  language plpgsql
as $$
declare
  v_many bigint;
begin
  delete from planned where task = any (p_tasks);
  get diagnostics v_many = row_count;
  return v_many;
end;
$$;

-- write_log() — keeps a line with a document, cut to what a line holds

create or replace function write_log(p_queue queues, p_subject text, p_message text, p_details jsonb, p_ref text)
  returns void
  language plpgsql
as $$
begin
  insert into doc_logs (queue, subject, message, details, ref_id)
  values (p_queue.name, left(p_subject, 50), left(coalesce(p_message, ''), 255), p_details, p_ref);
end;
$$;

-- tell() — notifies the listeners of a queue that asked for it, once per document
--
-- Of many documents in one call the first hundred are named: who listens wakes up,
-- and the commit does not take long over thousands.

create or replace function tell(p_queue queues, p_event text, variadic p_subjects text[])
  returns void
  language plpgsql
as $$
begin
  if is_told(p_queue.config) then
    perform pg_notify('fetchq__' || p_queue.name || '__' || p_event, subject)
    from unnest(p_subjects) as told (subject)
    limit 100;
  end if;
end;
$$;
