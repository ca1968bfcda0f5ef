-- chore_alert — what is wrong with who does the chores; empty when all is well
--
-- orphaned: nobody has led it for three times the lease, or ever.
-- stalled:  somebody does, by the look of it, but no run has ended for three pauses,
--           or for as long as a run may take if that is more.
-- flapping: more than five terms within ten minutes ended by an error or ran out. A
--           term that ends by rotation, on request or with its worker never counts.

create view chore_alert as
  select chore, 'orphaned' as alert, led_until as since,
         format('Nobody has led %s since %s. Is there a worker that may?', chore, led_until) as explanation
  from chore_health
  where not is_led and led_until < clock_timestamp() - 3 * ttl
  union all
  select chore, 'stalled', active.at,
         format('%s is led, but no run of it has ended since %s. Look at the log of its leader, or ask it to resign.', chore, active.at)
  from chore_health
  cross join lateral (
    select greatest(last_run_at, registered_at, case when strategy in ('lease', 'advisory') then acquired_at end) as at
  ) as active
  where is_led and active.at < clock_timestamp() - greatest(3 * every, timeout)
  union all
  select chore, 'flapping', min(ended_at),
         format('%s changed hands %s times within ten minutes because a leader failed or could not renew.', chore, count(*))
  from terms
  where ended_at > clock_timestamp() - interval '10 minutes' and how in ('error', 'expired')
  group by chore
  having count(*) > 5;
