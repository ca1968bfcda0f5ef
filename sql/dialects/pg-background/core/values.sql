-- Arguments, checked.

-- background_checked() — the settings of a topic as a row, or a refusal that says which cannot be

create or replace function background_checked(p_settings jsonb)
  returns background_topics
  language plpgsql
as $$
declare
  v_new   background_topics;
  v_fault text;
begin
  begin
    v_new := jsonb_populate_record(null::background_topics, p_settings);
  exception when data_exception then
    v_fault := sqlerrm;
  end;
  v_fault := coalesce(v_fault, case
    when v_new.max_parallel_running_tasks_count < 0 then 'max_parallel_running_tasks_count must not be negative'
    when v_new.delay_in_sec < 0 or v_new.delay_in_sec > 31536000 then 'delay_in_sec must be from 0 to a year'
    when v_new.retry_count < 0 or v_new.retry_count > 1000000 then 'retry_count must be from 0 to 1000000'
  end);
  if v_fault is not null then
    perform refuse('22023', 'invalid settings of background tasks: ' || v_fault, 'Nothing was changed.');
  end if;
  return v_new;
end;
$$;

-- background_number() — the value of a setting as a whole number from 0; null when it is not set

create or replace function background_number(p_name text, p_value text)
  returns integer
  language plpgsql
  immutable
as $$
begin
  if coalesce(p_value, '') = '' then
    return null;
  end if;
  if p_value !~ '^[0-9]{1,9}$' then
    perform refuse('22023', format('%s cannot be %L', p_name, p_value), 'Give a whole number from 0.');
  end if;
  return p_value::integer;
end;
$$;

-- background_retry_count() — how often a task may be tried again
--
-- Each topic that says a number has a say, in the session's setting
-- pg_background.retry_count.<topic> or else in its row; the smallest holds, as with
-- limits: what one topic rules out, another does not bring back. If none says any,
-- the session's pg_background.retry_count does, or else the defaults.

create or replace function background_retry_count(p_topics text[])
  returns integer
  language plpgsql
  stable
as $$
declare
  c_name   constant text := 'pg_background.retry_count';
  v_topic  text;
  v_number integer;
  v_least  integer;
begin
  foreach v_topic in array p_topics loop
    v_number := coalesce(
      background_number(c_name || '.' || v_topic, current_setting(c_name || '.' || v_topic, true)),
      (select retry_count from background_topics where topic = v_topic));
    v_least := least(v_least, v_number);
  end loop;
  return coalesce(
    v_least, background_number(c_name, current_setting(c_name, true)),
    (select retry_count from background_defaults), 0);
end;
$$;
