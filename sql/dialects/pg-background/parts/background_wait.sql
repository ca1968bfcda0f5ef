-- background_wait() — looks again and again until one of these tasks has ended; null when none did in time
--
-- Every 10 ms at first, every 200 ms in the end. A task of the caller's own
-- transaction cannot start before that commits, so waiting for it is refused; so is
-- waiting under a snapshot that will never show the end.

create or replace function background_wait(p_ids bigint[], p_timeout_ms bigint)
  returns bigint
  language plpgsql
as $$
declare
  v_until timestamptz := clock_timestamp() + make_interval(secs => p_timeout_ms / 1000.0);
  v_pause double precision := 0.01;
  v_ended bigint;
begin
  if p_timeout_ms < 0 then
    perform refuse('22023', format('timeout_ms cannot be %s', p_timeout_ms), 'Give 0 to wait without an end.');
  end if;
  loop
    select given.id into v_ended
    from unnest(p_ids) with ordinality as given (id, place)
    where given.id is not null and not exists (select from tasks where tasks.id = given.id)
    order by given.place
    limit 1;
    if v_ended is not null then
      return v_ended;
    end if;
    perform background_refuse_waiting(p_ids);
    if p_timeout_ms > 0 and clock_timestamp() >= v_until then
      return null;
    end if;
    perform pg_sleep(case when p_timeout_ms > 0
      then least(v_pause, greatest(extract(epoch from v_until - clock_timestamp())::double precision, 0)) else v_pause end);
    v_pause := least(v_pause * 1.5, 0.2);
  end loop;
end;
$$;
