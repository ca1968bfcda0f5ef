-- cron_in_words() — a parsed cron expression as an English sentence
--
-- Made from the bits, not from the text: what is said is what will happen, however the
-- expression was written.

create or replace function cron_in_words(p_cron varbit[], p_zone text)
  returns text
  language plpgsql
  stable
as $$
declare
  v_time  text := cron_time_in_words(p_cron);
  v_days  text := cron_days_in_words(p_cron);
  v_words text;
begin
  v_words := case
    when v_time not like 'at __:__%' then concat_ws(' ', v_time, v_days)
    when v_days is null then 'every day ' || v_time
    when v_days like 'in %' then v_time || ' every day ' || v_days
    else v_time || ' ' || v_days
  end;
  return upper(left(v_words, 1)) || substr(v_words, 2) || zone_in_words(p_zone);
end;
$$;
