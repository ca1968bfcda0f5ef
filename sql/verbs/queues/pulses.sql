-- pulses() — what each queue got done in each of the last minutes, the latest last
--
--   select * from pulses(60);
--
-- For lines beside many queues at once; series() has more, of one. Queues that did nothing
-- are not in it.

create or replace function pulses(p_minutes integer default 60)
  returns table (queue text, done bigint[])
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_last timestamptz := date_bin('1 minute', clock_timestamp(), 'epoch');
  v_from timestamptz;
  v_all  boolean := sees_all();
begin
  if p_minutes is null or p_minutes not between 1 and 2880 then
    perform refuse('TK004', format('pulses() cannot count %s minutes', coalesce(p_minutes::text, 'null')),
                   'Give a number from 1 to 2880; minutes are kept for 2 days.');
  end if;
  v_from := v_last - make_interval(mins => p_minutes - 1);

  -- Minutes without a task are added as such: joined to those with one, they would be compared
  -- pair by pair.
  return query
    with told as (
      select queue, at, done from counters where width = 60 and at >= v_from and queue <> '*' and done > 0
      union all
      select queue, date_bin('1 minute', at, 'epoch'), done
      from deltas where at >= v_from and at < v_last + interval '1 minute' and done > 0
    ), summed as (
      select queue, at, sum(done)::bigint as done
      from (
        select queue, at, done from told
        union all
        select queue, minute, 0
        from (select distinct queue from told) as active
        cross join generate_series(v_from, v_last, interval '1 minute') as minute
      ) as every
      group by queue, at
    )
    select queue, array_agg(done order by at)
    from summed
    where v_all or may_use('operate', queue, (select submitter()))
    group by queue
    order by queue;
end;
$$;
