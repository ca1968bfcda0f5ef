-- doc_reschedule() — active → planned | pending, for another round
--
-- Attempts begin anew and an iteration is counted. Without a payload the old one stays.

create or replace function doc_reschedule(
  par_queue varchar, par_subject varchar, par_nextiteration timestamptz, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := reschedule_document(par_queue, par_subject, par_nextiteration, null, null);
end;
$$;

create or replace function doc_reschedule(
  par_queue varchar, par_subject varchar, par_nextiteration timestamptz, par_payload jsonb, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := reschedule_document(par_queue, par_subject, par_nextiteration, par_payload, null);
end;
$$;

create or replace function doc_reschedule(
  par_queue varchar, par_subject varchar, par_nextiteration timestamptz, par_payload jsonb, par_token bigint,
  out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := reschedule_document(par_queue, par_subject, par_nextiteration, par_payload, par_token);
end;
$$;
