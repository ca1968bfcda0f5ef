-- interval_in_words() — 1 minute; 90 minutes; 2 months and 3 days
--
-- One unit where a small number of it is exact, else each unit for itself.

create or replace function interval_in_words(p_every interval)
  returns text
  language plpgsql
  stable
as $$
declare
  v_months  integer := extract(year from p_every) * 12 + extract(month from p_every);
  v_days    integer := extract(day from p_every);
  v_seconds numeric := extract(hour from p_every) * 3600 + extract(minute from p_every) * 60 + extract(second from p_every);
  v_counts  numeric[];
begin
  v_counts := case
    when v_seconds % 3600 = 0 then array[v_seconds / 3600, 0, 0]
    when v_seconds < 3600 * 2 and v_seconds % 60 = 0 then array[0, v_seconds / 60, 0]
    when v_seconds < 60 * 2 then array[0, 0, v_seconds]
    else array[div(v_seconds, 3600), div(v_seconds % 3600, 60), v_seconds % 60]
  end;
  v_counts := array[v_months / 12, v_months % 12]
    || case when v_days % 7 = 0 then array[v_days / 7, 0] else array[0, v_days] end
    || v_counts;
  return and_list(array(
    select trim_scale(count) || ' ' || unit || case count when 1 then '' else 's' end
    from unnest(v_counts, array['year', 'month', 'week', 'day', 'hour', 'minute', 'second']) with ordinality as units (count, unit, place)
    where count <> 0
    order by place
  ));
end;
$$;
