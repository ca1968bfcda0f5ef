-- charge_groups() — books starts in groups whose rows the caller holds

create or replace function charge_groups(p_names text[], p_starts integer[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_group groups;
  v_last  integer;
begin
  update groups
  set running       = running + started.n,
      used_at       = p_now,
      next_start_at = case
        when gap > interval '0' and gap_from = 'start' then greatest(next_start_at, p_now + gap)
        else next_start_at
      end
  from unnest(p_names, p_starts) as started (name, n)
  where groups.name = started.name;

  for v_group in
    select groups.* from groups where name = any (p_names) and rate is not null
  loop
    v_last := cardinality(v_group.start_times);
    if v_last > 0 and date_bin(v_group.rate_window / 100, v_group.start_times[v_last], 'epoch')
                    = date_bin(v_group.rate_window / 100, p_now, 'epoch') then
      v_group.start_times[v_last] := greatest(v_group.start_times[v_last], p_now);
      v_group.start_counts[v_last] := v_group.start_counts[v_last] + p_starts[array_position(p_names, v_group.name)];
    else
      v_group.start_times := v_group.start_times || p_now;
      v_group.start_counts := v_group.start_counts || p_starts[array_position(p_names, v_group.name)];
    end if;
    perform refresh_rate(v_group, p_now);
  end loop;
end;
$$;
