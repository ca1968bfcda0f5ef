-- without_load() — a task, or the template of one, for the audit: without what it carries
--
-- Payload and meta may hold anything, secrets of any name too, and the audit outlives the
-- task. Given p_before, it says of each of them that it was changed, if it was.

create or replace function without_load(p_task jsonb, p_before jsonb default null)
  returns jsonb
  language sql
  immutable
as $$
  select p_task - '{payload,meta}'::text[] || coalesce((
    select jsonb_object_agg(name, 'changed')
    from unnest('{payload,meta}'::text[]) as name
    where p_before is not null and p_task -> name is distinct from p_before -> name), '{}');
$$;
