-- pg_background_detach() — takes a task off the list; it goes on, and its result can still be had

create or replace function pg_background_detach(pid bigint, cookie bigint default null)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  perform background_detach(array[pid]);
end;
$$;

create or replace function pg_background_detach_v2(pid bigint, cookie bigint)
  returns void
  language sql
  set search_path from current
as $$
  select pg_background_detach(pid, cookie);
$$;
