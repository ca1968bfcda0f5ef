-- install_lock() — takes the locks of the run, and never at a worker's cost
--
-- Tells whether views are among them, which are then to be taken down.
--
-- Postgres ends a deadlock by failing the session that has waited for deadlock_timeout, and
-- that could be a worker waiting for us. So we wait long for the first lock only,
-- when we hold nothing else; that wait must outlast deadlock_timeout, or autovacuum
-- would not make way. For the others we wait a little, mostly 10 to 40 ms and now
-- and then longer, but never into the time when a worker's patience may end. If that
-- is not enough we let go of everything, and begin with what was not to be had.
--
-- So transactions that take two tables in either order hold us off only as long as one
-- of them is always half-way. After lock_timeout in all, the run fails.

create or replace function install_lock()
  returns boolean
  language plpgsql
  set search_path from current
as $$
declare
  c_patience constant text        := current_setting('lock_timeout');
  c_end      constant timestamptz := clock_timestamp() + nullif(c_patience::interval, '0');
  v_first    name;
  v_relation record;
  v_views    boolean;
  v_started  timestamptz;
  v_wait     interval;
begin
  loop
    v_started := clock_timestamp();
    v_wait := c_end - v_started;
    v_views := false;
    begin
      for v_relation in
        select *
        from install_relations()
        order by name is distinct from v_first, kind <> 'v', is_partition, name
      loop
        v_first := v_relation.name;
        v_views := v_views or v_relation.kind = 'v';
        perform install_lock_one(v_relation.name, v_relation.kind, v_relation.owner, v_wait);
        v_wait := least(
          interval '10 ms' / (1 - random()),
          v_started + current_setting('deadlock_timeout')::interval * 0.8 - clock_timestamp()
        );
      end loop;
      perform set_config('lock_timeout', c_patience, true);
      return v_views;
    exception when lock_not_available then
      if clock_timestamp() >= c_end then
        raise;
      end if;
    end;
    perform pg_sleep(random() * 0.02);
  end loop;
end;
$$;
