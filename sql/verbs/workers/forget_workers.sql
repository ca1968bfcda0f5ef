-- forget_workers() — removes workers that left, or that were silent for too long
--
-- Named: they say goodbye. Unnamed: everybody whose last sign is older than
-- p_silent. What they held is not touched: rescue() takes care of it. Never waits for a row: a
-- worker whose row another transaction holds is left for the next call.

create or replace function forget_workers(p_workers text[] default null, p_silent interval default '1 minute')
  returns setof text
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_delays(array[-p_silent]);
  return query
    with gone as (
      delete from workers
      where id = any (array(
        select id
        from workers
        where case when p_workers is null then beat_at < clock_timestamp() - p_silent else id = any (p_workers) end
        for update skip locked
      ))
      returning id
    ), woken as (
      delete from sleepers using gone where sleepers.worker = gone.id
    )
    select id from gone;
end;
$$;
