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
