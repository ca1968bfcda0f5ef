-- drop_days() — drops the days of finished in which nothing is left to keep
--
-- What the tasks leave elsewhere (attempts, kept keys) goes with them.

create or replace function drop_days(p_now timestamptz)
  returns integer
  language plpgsql
  set timezone = 'UTC'
  set lock_timeout = '1s'
as $$
declare
  v_day     regclass;
  v_live    boolean;
  v_dropped integer := 0;
begin
  for v_day in
    select inhrelid::regclass
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    where inhparent = 'finished'::regclass
      and relname ~ '^finished_\d{8}$'
      and substr(relname, 10)::date < (p_now at time zone 'UTC')::date
    order by relname
  loop
    execute format('select exists (select from %s where keep_until > $1)', v_day) into v_live using p_now;
    continue when v_live;
    begin
      execute format('lock table only finished, %s in access exclusive mode', v_day);
      -- Asked again: a transaction that ended a task on that day may have committed only now.
      execute format('select exists (select from %s where keep_until > $1)', v_day) into v_live using p_now;
      continue when v_live;
      execute format('delete from attempts using %s as gone where attempts.task = gone.id', v_day);
      execute format('delete from logs using %s as gone where logs.task = gone.id', v_day);
      execute format('delete from keys using %s as gone where keys.queue = gone.queue and keys.key = gone.key and keys.task = gone.id', v_day);
      execute format('drop table %s', v_day);
      v_dropped := v_dropped + 1;
    exception
      when lock_not_available then null;
    end;
  end loop;
  return v_dropped;
end;
$$;
