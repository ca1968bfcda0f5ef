-- Documents: complete, kill, drop.

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

-- doc_kill() — active → killed
--
-- The subject stays taken; doc_play() brings the document back. The answers are those
-- of doc_complete().

create or replace function doc_kill(par_queue varchar, par_subject varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := kill_document(par_queue, par_subject, null, null);
end;
$$;

create or replace function doc_kill(
  par_queue varchar, par_subject varchar, par_payload jsonb, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := kill_document(par_queue, par_subject, par_payload, null);
end;
$$;

create or replace function doc_kill(
  par_queue varchar, par_subject varchar, par_payload jsonb, par_token bigint, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := kill_document(par_queue, par_subject, par_payload, par_token);
end;
$$;

-- doc_drop() — active → gone; its subject may be pushed again

create or replace function doc_drop(par_queue varchar, par_subject varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := drop_document(par_queue, par_subject, null);
end;
$$;

create or replace function doc_drop(par_queue varchar, par_subject varchar, par_token bigint, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := drop_document(par_queue, par_subject, par_token);
end;
$$;
