-- refuse_cron() — says which field of a cron expression is wrong, and what may stand there

create or replace function refuse_cron(p_text text, p_field integer, p_fault text)
  returns void
  language plpgsql
as $$
declare
  c_fields constant text[] := array['second', 'minute', 'hour', 'day', 'month', 'weekday'];
  c_hints  constant text[] := array[
    'Write seconds as 0–59: 0, 0,30, 10-20 or */15.',
    'Write minutes as 0–59: 30, 0,30, 10-20 or */15. For other periods, such as 90 minutes, use every instead of cron.',
    'Write hours as 0–23: 2, 9-17, 8,12,18 or */6. For a range over midnight write 22-23,0-2.',
    'Write days as 1–31: 1, 1,15 or 1-7; L is the last day, L-3 three days before it, 15W the weekday nearest to the 15th, LW the last weekday.',
    'Write months as 1–12 or JAN–DEC: 1, JAN-MAR, 3,6,9,12 or */3.',
    'Write weekdays as 0–7 or SUN–SAT, where 0 and 7 are Sunday: 1-5, MON,THU; FRI#2 is the second Friday of the month, FRIL the last.'];
begin
  perform refuse('TK004', format('cron %s: %s %s', quote_cron(p_text), c_fields[p_field], p_fault), c_hints[p_field]);
end;
$$;
