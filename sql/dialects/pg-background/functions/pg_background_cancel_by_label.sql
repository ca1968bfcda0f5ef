-- pg_background_cancel_by_label() — stops the caller's own tasks whose label or topic is LIKE this

create or replace function pg_background_cancel_by_label(pattern text, grace_ms integer default 0)
  returns integer
  language sql
  security definer
  set search_path from current
as $$
  select count(*)::integer
  from cancel_many(array(
    select id
    from background_task
    where state in ('queued', 'running') and submitted_by = (select submitter())
      and (label like pattern or exists (select from unnest(topics) as topic where topic like pattern))));
$$;

create or replace function pg_background_cancel_by_label_v2(pattern text, grace_ms integer default 0)
  returns integer
  language sql
  set search_path from current
as $$
  select pg_background_cancel_by_label(pattern, grace_ms);
$$;
