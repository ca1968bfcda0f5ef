-- chore_stats — every chore, how it goes and what is wrong with it

create view chore_stats as
  select chore, strategy, every, timeout, is_led, last_run_at, last_ok_at, runs, processed, errors, last_error_at,
         last_error, average_ms, longest_ms,
         (select string_agg(alert, ', ' order by alert) from chore_alert where chore_alert.chore = chore_health.chore) as alert
  from chore_health;
