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
