-- background_groups() — the groups of a task: one that all background tasks share, and one per topic
--
-- Tasks without a topic count as a topic of their own, whose name is empty.

create or replace function background_groups(p_topics text[])
  returns text[]
  language sql
  immutable
as $$
  select array['pg_background']
    || case when cardinality(p_topics) > 0 then array(select 'pg_background:' || topic from unnest(p_topics) as topic)
            else array['pg_background:'] end;
$$;
