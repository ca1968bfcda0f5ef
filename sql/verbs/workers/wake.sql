-- wake() — a worker that has been busy for a while no longer needs to be rung

create or replace function wake(p_worker text)
  returns void
  language sql
  security definer
  set search_path from current
as $$
  delete from sleepers where worker = p_worker;
$$;
