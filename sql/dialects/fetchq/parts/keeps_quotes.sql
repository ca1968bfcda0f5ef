-- keeps_quotes() — whether two apostrophes in an argument are two, or stand for one
--
-- The original pasted its arguments into statements, so that callers had to double
-- apostrophes once more; its Node client does. Hence two stand for one, unless the
-- queue's config says "keep_quotes": true, or the setting fetchq.keep_quotes is on.

create or replace function keeps_quotes(p_config jsonb)
  returns boolean
  language sql
  stable
as $$
  select coalesce(
    (p_config ->> 'keep_quotes')::boolean,
    current_setting('fetchq.keep_quotes', true) in ('on', 'true', '1', 'yes'),
    false);
$$;
