-- doc_complete() — active → completed
--
-- The subject stays taken. 1 when it was done, 0 when the document is not active or
-- not the caller's, null when there is no such queue.

create or replace function doc_complete(par_queue varchar, par_subject varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := complete_document(par_queue, par_subject, null, null);
end;
$$;

create or replace function doc_complete(
  par_queue varchar, par_subject varchar, par_payload jsonb, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := complete_document(par_queue, par_subject, par_payload, null);
end;
$$;

create or replace function doc_complete(
  par_queue varchar, par_subject varchar, par_payload jsonb, par_token bigint, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := complete_document(par_queue, par_subject, par_payload, par_token);
end;
$$;
