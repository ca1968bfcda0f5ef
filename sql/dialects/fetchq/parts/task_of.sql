-- task_of() — the task of a document, also of one that ended: its subject stays taken as long as it is kept
--
-- Whoever asks document for one document names the task with it. Then every table is
-- looked up by a value that is known; joined by subject alone, one that was planned on
-- empty tables would read them from end to end.

create or replace function task_of(p_queue text, p_subject text)
  returns bigint
  language sql
  stable
as $$
  select task from keys where queue = p_queue and key = p_subject;
$$;
