-- pg_background_wait_any() — waits until one of these tasks has ended; null when none did in time

create or replace function pg_background_wait_any(handles pg_background_handle[], timeout_ms integer default 0)
  returns pg_background_handle
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_handle pg_background_handle;
  v_ids    bigint[] := '{}';
  v_ended  bigint;
begin
  foreach v_handle in array coalesce(handles, '{}') loop
    if v_handle.pid is not null then
      perform background_require(v_handle.pid, v_handle.cookie);
      v_ids := v_ids || v_handle.pid;
    end if;
  end loop;
  if v_ids = '{}' then
    return null;
  end if;
  v_ended := background_wait(v_ids, timeout_ms);
  foreach v_handle in array handles loop
    if v_handle.pid = v_ended then
      return v_handle;
    end if;
  end loop;
  return null;
end;
$$;

create or replace function pg_background_wait_any_v2(handles pg_background_handle[], timeout_ms integer default 0)
  returns pg_background_handle
  language sql
  set search_path from current
as $$
  select pg_background_wait_any(handles, timeout_ms);
$$;
