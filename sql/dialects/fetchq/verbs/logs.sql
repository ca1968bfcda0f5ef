-- Log lines, and the trace of a document.

-- log_error() — a line about a document, which need not exist; false when there is no such queue

create or replace function log_error(
  par_queue varchar, par_subject varchar, par_message varchar, par_details jsonb, par_refid varchar,
  out queued_logs boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues;
  v_keeps boolean;
begin
  par_queue := enter_queue(par_queue);
  select * into v_queue from queues where name = par_queue;
  v_keeps := keeps_quotes(v_queue.config);
  queued_logs := v_queue.id is not null and par_subject is not null and length(unescape(par_subject, v_keeps)) <= 50;
  if queued_logs then
    perform write_log(
      v_queue, unescape(par_subject, v_keeps), unescape(par_message, v_keeps), unescape(par_details, v_keeps),
      unescape(par_refid, v_keeps));
  else
    raise log 'fetchq: nothing was logged: there is no queue %, or no subject of at most 50 characters', par_queue;
  end if;
end;
$$;

create or replace function log_error(
  par_queue varchar, par_subject varchar, par_message varchar, par_details jsonb, out queued_logs boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  queued_logs := log_error(par_queue, par_subject, par_message, par_details, null);
end;
$$;

-- trace() — the documents of one subject in all queues, each with its logs

create or replace function trace(par_subject varchar, par_order varchar)
  returns table (step integer, created_at timestamptz, queue varchar, type varchar, info varchar, details jsonb)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  if upper(par_order) not in ('ASC', 'DESC') or par_order is null then
    perform refuse('TK004', format('%L is not an order', par_order), 'Write ASC or DESC.');
  end if;
  return query
    with asked as (
      -- What is meant depends on the queue; see keeps_quotes().
      select id, name, unescape(par_subject, keeps_quotes(config)) as subject from queues
    ), found as (
      select queues.id as place, 1 as kind, 0::bigint as line, doc.created_at, queues.name as queue,
             'document'::varchar as type,
             format('status: %s; attempts: %s; iterations: %s', doc.status, doc.attempts, doc.iterations)::varchar
               as info,
             to_jsonb(doc) - '{queue,task}'::text[] as details
      from asked as queues
      cross join lateral (
        select * from document
        where queue = queues.name and subject = queues.subject and task = task_of(queues.name, queues.subject)
        offset 0
      ) as doc
      union all
      select queues.id, 2, log.id, log.created_at, queues.name, 'error', log.message, to_jsonb(log) - 'queue'
      from asked as queues
      join doc_logs as log on log.queue = queues.name and log.subject = queues.subject
    ), numbered as (
      select row_number() over (order by place, kind, line)::integer as step, created_at, queue, type, info, details
      from found
    )
    select step, created_at, queue, type, info, details
    from numbered
    order by case upper(par_order) when 'ASC' then step else -step end;
end;
$$;

create or replace function trace(par_subject varchar)
  returns table (step integer, created_at timestamptz, queue varchar, type varchar, info varchar, details jsonb)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
begin
  return query select * from trace(par_subject, 'ASC'::varchar);
end;
$$;
