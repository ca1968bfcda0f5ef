-- pg_background_set_topic() — changes the settings of a topic; limits hold from the next claim on
--
--   select pg_background_set_topic('mail', '{"max_parallel_running_tasks_count": 2, "delay_in_sec": 1, "retry_count": 3}');
--
-- What is not named stays as it is; null puts the default back.

create or replace function pg_background_set_topic(topic text, settings jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_topic text := topic;
  v_new   background_topics;
begin
  if coalesce(background_topics_fault(array[v_topic]), case when v_topic is null then 'a topic has no name' end) is not null then
    perform refuse('22023', format('%L is not the name of a topic', v_topic), 'A name has at least one character.');
  end if;
  perform check_settings(settings, '{max_parallel_running_tasks_count,delay_in_sec,retry_count}');
  insert into background_topics (topic) values (v_topic) on conflict (topic) do nothing;
  select * into v_new from background_topics where background_topics.topic = v_topic for update;
  v_new := background_checked(to_jsonb(v_new) || settings);
  update background_topics
  set max_parallel_running_tasks_count = v_new.max_parallel_running_tasks_count,
      delay_in_sec = v_new.delay_in_sec,
      retry_count = v_new.retry_count
  where background_topics.topic = v_topic;
  delete from background_topics
  where background_topics.topic = v_topic and max_parallel_running_tasks_count is null and delay_in_sec is null and retry_count is null;
  perform background_refresh_topics(v_topic);
end;
$$;
