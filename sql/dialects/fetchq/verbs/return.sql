-- Documents: reject, reschedule, play.

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

-- doc_play() — completed | killed → pending, with all its attempts
--
-- Not in the original, where it takes an UPDATE by hand.

create or replace function doc_play(
  par_queue varchar, par_subject varchar, par_nextiteration timestamptz default now(), out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues;
begin
  par_queue := enter_queue(par_queue);
  v_queue := require_queue(par_queue);
  affected_rows := play_document(
    v_queue, unescape(par_subject, keeps_quotes(v_queue.config)), par_nextiteration, null);
end;
$$;
