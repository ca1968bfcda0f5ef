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
    v_least, background_number(c_name, current_setting(c_name, true)), (select retry_count from background_defaults), 0);
end;
$$;
