-- is_kept() — whether a subject is taken, and by a key that is kept as long as its document
--
-- Whatever else holds it, the engine has to be asked.

create or replace function is_kept(p_queue text, p_subject text)
  returns boolean
  language sql
  stable
as $$
  select coalesce((select until = 'infinity' from keys where queue = p_queue and key = p_subject), false);
$$;
