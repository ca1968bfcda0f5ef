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
