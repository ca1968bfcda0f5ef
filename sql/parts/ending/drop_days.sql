-- drop_days() — drops the days of finished in which nothing is left to keep
--
-- What their tasks leave elsewhere (attempts, logs, kept keys) goes before them, so many
-- at a time: a day may have millions. Only then is the table locked, and with it whoever
-- ends a task, until the caller's transaction is over: do nothing after it. Answers how many
-- were dropped, and whether p_limit left more to be done.

create or replace function drop_days(p_limit integer, p_now timestamptz, out days integer, out more boolean)
  language plpgsql
  set timezone = 'UTC'
  set lock_timeout = '1s'
as $$
declare
  -- In blocks, which have some 40 rows each at most.
  v_left    bigint := greatest(p_limit / 10, 1);
  v_day     regclass;
  v_live    boolean;
  v_cleared record;
begin
  days := 0;
  more := false;
  for v_day in
    select inhrelid::regclass
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    where inhparent = 'finished'::regclass
      and relname ~ '^finished_[0-9]{8}$'
      and substr(relname, 10)::date < (p_now at time zone 'UTC')::date
    order by relname
  loop
    execute format('select exists (select from %s where keep_until > $1)', v_day) into v_live using p_now;
    continue when v_live;
    more := v_left <= 0;
    exit when more;
    begin
      v_cleared := clear_day(v_day, v_left);
    exception
      when lock_not_available or deadlock_detected then exit;
    end;
    v_left := v_left - v_cleared.blocks;
    more := not v_cleared.is_clear and v_cleared.blocks > 0;
    exit when not v_cleared.is_clear;
    begin
      execute format('lock table only finished, %s in access exclusive mode', v_day);
      -- Asked again: a transaction that ended a task on that day may have committed only now.
      execute format('select exists (select from %s where keep_until > $1)', v_day) into v_live using p_now;
      continue when v_live;
      delete from clearings where day = (select relname from pg_class where oid = v_day);
      execute format('drop table %s', v_day);
      days := days + 1;
    exception
      when lock_not_available or deadlock_detected then exit;
    end;
  end loop;
end;
$$;
