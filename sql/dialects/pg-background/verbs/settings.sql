-- Settings and rights.

-- pg_background_set_defaults() — changes what holds for topics that say nothing else, and for all together
--
--   select pg_background_set_defaults('{"max_parallel_running_tasks_count": 4, "delay_in_sec": 0, "retry_count": 1}');
--
--   reserve                 how many of max_worker_processes no background task may use
--   max_retry_delay_in_sec  the longest wait before another try; an hour
--   retry_jitter            spreads that wait over ± this share of it; 0
--
-- What is not named stays as it is; null puts the built-in value back.

create or replace function pg_background_set_defaults(settings jsonb default '{}')
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_new background_defaults;
  v_fault text;
begin
  perform check_settings(
    settings,
    '{max_parallel_running_tasks_count,delay_in_sec,retry_count,reserve,max_retry_delay_in_sec,retry_jitter}');
  perform background_checked(settings);
  select * into v_new from background_defaults for update;
  begin
    v_new := jsonb_populate_record(v_new, settings);
  exception when data_exception then
    v_fault := sqlerrm;
  end;
  v_fault := coalesce(v_fault, case
    when v_new.reserve < 0 then 'reserve must not be negative'
    when v_new.max_retry_delay_in_sec < 1 then 'max_retry_delay_in_sec must be 1 or more'
    when v_new.retry_jitter not between 0 and 1 then 'retry_jitter must be from 0 to 1'
  end);
  if v_fault is not null then
    perform refuse('22023', 'invalid settings of background tasks: ' || v_fault, 'Nothing was changed.');
  end if;
  update background_defaults
  set max_parallel_running_tasks_count = v_new.max_parallel_running_tasks_count,
      delay_in_sec = v_new.delay_in_sec,
      retry_count = v_new.retry_count,
      reserve = v_new.reserve,
      max_retry_delay_in_sec = v_new.max_retry_delay_in_sec,
      retry_jitter = v_new.retry_jitter;
  perform set_queue('pg_background', jsonb_build_object('group_max_running', v_new.max_parallel_running_tasks_count));
  perform set_group('pg_background', jsonb_build_object('max_running', background_limit()));
  perform background_refresh_topics();
  perform background_show_settings(settings);
end;
$$;

-- pg_background_set_topic() — changes the settings of a topic; limits hold from the next claim on
--
--   select pg_background_set_topic(
--     'mail', '{"max_parallel_running_tasks_count": 2, "delay_in_sec": 1, "retry_count": 3}');
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
  if coalesce(background_topics_fault(array[v_topic]), case when v_topic is null then 'a topic has no name' end)
     is not null
  then
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
  where background_topics.topic = v_topic and max_parallel_running_tasks_count is null and delay_in_sec is null
    and retry_count is null;
  perform background_refresh_topics(v_topic);
  perform background_show_settings(settings, v_topic);
end;
$$;

-- background_show_settings() — has SHOW tell what was set, as pg_background.<setting>[.<topic>], in this session
--
-- A topic whose name cannot be part of a parameter's is left out; pg_background_settings has it.

create or replace function background_show_settings(p_settings jsonb, p_topic text default null)
  returns void
  language plpgsql
as $$
declare
  v_name  text;
  v_value text;
begin
  if p_topic !~ '^[A-Za-z_][A-Za-z0-9_$]*$' then
    return;
  end if;
  for v_name, v_value in select * from jsonb_each_text(p_settings) loop
    perform set_config(concat_ws('.', 'pg_background', v_name, p_topic), coalesce(v_value, ''), false);
  end loop;
end;
$$;

-- pg_background_load_settings() — takes over settings that were written as pg_background.<setting>[.<topic>]
--
-- Those of this database and of all (ALTER DATABASE … SET, ALTER ROLE ALL SET), and the
-- ones without a topic as this session sees them. Answers with what it took over. Run
-- it again when they have changed.

create or replace function pg_background_load_settings()
  returns table (topic text, setting text, value text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  c_names constant text := 'retry_count|max_parallel_running_tasks_count|delay_in_sec';
begin
  for topic, setting, value in
    select found.parts[2], found.parts[1], found.parts[3]
    from (
      select regexp_match(config, format('^pg_background[.](%s)(?:[.]([^=]+))?=(.*)$', c_names)) as parts
      from pg_catalog.pg_db_role_setting, unnest(setconfig) as config
      where setrole = 0
        and setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
      union
      select array[name, null, current_setting('pg_background.' || name, true)]
      from regexp_split_to_table(c_names, '[|]') as name
    ) as found
    where coalesce(found.parts[3], '') <> ''
    order by found.parts[2] nulls first, found.parts[1]
  loop
    if topic is null then
      perform pg_background_set_defaults(jsonb_build_object(setting, value));
    else
      perform pg_background_set_topic(topic, jsonb_build_object(setting, value));
    end if;
    return next;
  end loop;
end;
$$;

-- pg_background_grant_privileges() — lets a role launch: makes it a member of pgbackground_role
--
-- The same as GRANT pgbackground_role TO …. What it launches runs as itself, so the
-- worker's login must be a member of it as well.

create or replace function pg_background_grant_privileges(role_name text, print_commands boolean default false)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_command text := format('grant pgbackground_role to %I', role_name);
begin
  perform background_require_role(role_name);
  execute v_command;
  if print_commands then
    raise info '%', v_command;
  end if;
  perform allow_sql('pgbackground_role');
  return true;
end;
$$;

create or replace function grant_pg_background_privileges(role_name text, print_commands boolean default false)
  returns boolean
  language sql
  set search_path from current
as $$
  select pg_background_grant_privileges(role_name, print_commands);
$$;

-- pg_background_revoke_privileges() — takes back what pg_background_grant_privileges() gave
--
-- Tasks that are launched already still run.

create or replace function pg_background_revoke_privileges(role_name text, print_commands boolean default false)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_command text := format('revoke pgbackground_role from %I', role_name);
begin
  perform background_require_role(role_name);
  execute v_command;
  if print_commands then
    raise info '%', v_command;
  end if;
  return true;
end;
$$;

create or replace function revoke_pg_background_privileges(role_name text, print_commands boolean default false)
  returns boolean
  language sql
  set search_path from current
as $$
  select pg_background_revoke_privileges(role_name, print_commands);
$$;
