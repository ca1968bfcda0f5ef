-- pg_background_drain() — waits for all of these tasks, timeout_ms in all; one outcome each, in their order
--
-- A handle that is nobody's gives an outcome without a state.

create or replace function pg_background_drain(handles pg_background_handle[], timeout_ms integer default 0)
  returns setof pg_background_outcome
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_until  timestamptz := clock_timestamp() + make_interval(secs => timeout_ms / 1000.0);
  v_handle pg_background_handle;
  v_left   bigint;
begin
  foreach v_handle in array coalesce(handles, '{}') loop
    continue when v_handle.pid is null;
    v_left := ceil(extract(epoch from v_until - clock_timestamp()) * 1000);
    if (pg_background_outcome(v_handle.pid, v_handle.cookie)).state is not null and (timeout_ms <= 0 or v_left > 0) then
      perform background_wait(array[v_handle.pid], case when timeout_ms > 0 then v_left else timeout_ms end);
    end if;
    return next pg_background_outcome(v_handle.pid, v_handle.cookie);
  end loop;
end;
$$;

create or replace function pg_background_drain_v2(handles pg_background_handle[], timeout_ms integer default 0)
  returns setof pg_background_outcome
  language sql
  set search_path from current
as $$
  select * from pg_background_drain(handles, timeout_ms);
$$;
