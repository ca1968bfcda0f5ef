-- doc_reject() — active → pending, or killed after as many attempts as its queue allows
--
-- The document may be picked again when its lock would have ended; the message is
-- kept in the queue's logs.

create or replace function doc_reject(
  par_queue varchar, par_subject varchar, par_message varchar, par_details jsonb, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := reject_document(par_queue, par_subject, par_message, par_details, null, null);
end;
$$;

create or replace function doc_reject(
  par_queue varchar, par_subject varchar, par_message varchar, par_details jsonb, par_refid varchar,
  out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := reject_document(par_queue, par_subject, par_message, par_details, par_refid, null);
end;
$$;

create or replace function doc_reject(
  par_queue varchar, par_subject varchar, par_message varchar, par_details jsonb, par_refid varchar, par_token bigint,
  out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := reject_document(par_queue, par_subject, par_message, par_details, par_refid, par_token);
end;
$$;
