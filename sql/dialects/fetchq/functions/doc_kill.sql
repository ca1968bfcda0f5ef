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

create or replace function doc_kill(par_queue varchar, par_subject varchar, par_payload jsonb, out affected_rows integer)
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
