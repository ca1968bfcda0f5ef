-- Topics and their limits, as groups of the engine.

-- background_group() — a group that a claim makes gets the limits of its topic

create or replace function background_group()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_limits jsonb;
begin
  if new.name = 'pg_background' then
    new.max_running := coalesce(new.max_running, background_limit());
  else
    v_limits := background_limits(substr(new.name, length('pg_background:') + 1));
    new.max_running := coalesce(new.max_running, (v_limits ->> 'max_running')::integer);
    new.gap := coalesce(new.gap, (v_limits ->> 'gap')::interval);
  end if;
  return new;
end;
$$;

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

-- background_limit() — how many background tasks may run at once, whatever their topics
--
-- The server's max_worker_processes less the reserve for others, which is the greater
-- half of them by default; never less than one.

create or replace function background_limit()
  returns integer
  language sql
  stable
as $$
  select greatest(total - coalesce(reserve, total - total / 2), 1)
  from background_defaults
  cross join lateral (select current_setting('max_worker_processes')::integer as total) as server;
$$;

-- background_limits() — the settings of the group of a topic
--
-- A limit that comes from the defaults is not written into the group: the queue says
-- it for all groups (group_max_running).

create or replace function background_limits(p_topic text)
  returns jsonb
  language sql
  stable
as $$
  select jsonb_build_object(
    'max_running', own.max_parallel_running_tasks_count,
    'gap', make_interval(secs => nullif(coalesce(own.delay_in_sec, common.delay_in_sec), 0)::double precision))
  from background_defaults as common
  left join background_topics as own on own.topic = p_topic;
$$;

-- background_refresh_topics() — gives the groups of topics the limits that the settings say
--
-- Those of one topic, or of all; only groups that are there already or have settings
-- of their own. The others are given theirs when they are made (background_group()).

create or replace function background_refresh_topics(p_topic text default null)
  returns void
  language plpgsql
as $$
declare
  v_name text;
begin
  for v_name in
    select name
    from (
      select substr(name, length('pg_background:') + 1) as name from group_limit where name ^@ 'pg_background:'
      union
      select topic from background_topics
      union
      select p_topic where p_topic is not null
    ) as known
    where name = coalesce(p_topic, name)
    order by name
  loop
    perform set_group('pg_background:' || v_name, background_limits(v_name));
  end loop;
end;
$$;

-- background_topics_fault() — what is wrong with the topics of a task; null when nothing is

create or replace function background_topics_fault(p_topics text[])
  returns text
  language sql
  immutable
as $$
  select case
    when array_position(p_topics, null) is not null or '' = any (p_topics) then 'a topic has no name'
    when array_to_string(p_topics, chr(10)) ~ E'(^|\n)[{].*[}](\n|$)'
      then format('topic %L looks like an array', p_topics[1])
    when cardinality(p_topics) > 9 then 'a task has at most 9 topics'
    when (select count(distinct topic) from unnest(p_topics) as topic) < cardinality(p_topics)
      then 'a topic is named twice'
    when length(array_to_string(p_topics, '')) > 1800 then 'the names of its topics are too long'
  end;
$$;
