-- install_lock() — takes every lock of the run at once, and never at a worker's cost
--
-- Postgres ends a deadlock by failing whoever has waited for deadlock_timeout, and
-- that could be a worker waiting for us. So we wait long for the first lock only,
-- when we hold nothing, and for the others only until that time is nearly over:
-- then the run fails, holds nothing, and the migrator tries again. The first wait
-- must outlast deadlock_timeout, because only then does autovacuum make way.
--
-- The order is the same each time, except that the relation which was not to be had
-- last time (tusk.lock_first) comes first.

create or replace function install_lock(p_tables boolean, p_views boolean)
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  c_before   constant text        := current_setting('lock_timeout');
  c_until    constant timestamptz := clock_timestamp()
    + least(nullif(c_before::interval, interval '0'), current_setting('deadlock_timeout')::interval * 0.8);
  v_relation record;
begin
  for v_relation in
    select relname as name, relkind, pg_get_userbyid(relowner) as owner
    from pg_class
    where relnamespace = quote_ident(current_schema())::regnamespace
      and (p_tables and relkind in ('r', 'p') and relname <> 'installed' or p_views and relkind = 'v')
    order by relname <> current_setting('tusk.lock_first', true), relkind <> 'v', relispartition, relname
  loop
    begin
      if v_relation.relkind = 'v' then
        -- Changes nothing. `lock table` on a view would lock what the view reads as well.
        execute format('alter view %I owner to %I', v_relation.name, v_relation.owner);
      else
        execute format('lock table only %I in access exclusive mode', v_relation.name);
      end if;
    exception
      when undefined_table then
        null; -- A partition that was dropped while we waited for its parent.
      when lock_not_available then
        raise exception using
          errcode = sqlstate,
          message = format('%I is in use', v_relation.name),
          table   = v_relation.name,
          hint    = 'Nothing was changed. Try again, or when fewer long transactions are open.';
    end;
    perform set_config(
      'lock_timeout',
      ceil(greatest(1, extract(epoch from c_until - clock_timestamp()) * 1000))::text,
      true
    );
  end loop;

  perform set_config('lock_timeout', c_before, true);
end;
$$;
