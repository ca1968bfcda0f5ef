-- change_group() — the limits of a group, or of a queue as the group '@' || queue

create or replace function change_group(p_group text, p_settings jsonb)
  returns void
  language plpgsql
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_old   groups;
  v_new   groups;
  v_fault text;
begin
  perform lock_groups(array[p_group], v_now);
  select * into v_old from groups where name = p_group;
  v_fault := unfit_setting(v_old, p_settings);
  v_new := jsonb_populate_record(v_old, case when v_fault is null then p_settings end);
  v_new.gap_from := coalesce(v_new.gap_from, 'start');
  v_new.weight := coalesce(v_new.weight, 1);
  v_fault := coalesce(v_fault, case
    when v_new.max_running < 0 then 'max_running must not be negative'
    when v_new.gap < interval '0' then 'gap must not be negative'
    when greatest(v_new.gap, v_new.rate_window) > interval '1000 years' then 'gap and rate_window must be 1000 years or less'
    when v_new.gap_from not in ('start', 'end') then format('gap_from %L is unknown; use start or end', v_new.gap_from)
    when v_new.rate < 1 then 'rate must be 1 or more'
    when (v_new.rate is null) <> (v_new.rate_window is null) then 'rate and rate_window go together'
    when v_new.rate_window < interval '10 milliseconds' then 'rate_window must be 10 milliseconds or more'
    -- Months differ in length; a window must not.
    when extract(month from v_new.rate_window) <> 0 or extract(year from v_new.rate_window) <> 0
      then 'rate_window must be given in days or less'
    when v_new.weight < 1 then 'weight must be 1 or more'
  end);
  if v_fault is not null then
    perform refuse('TK004', format(
      '%s cannot be set so: %s', case when left(p_group, 1) = '@' then 'queue ' || substr(p_group, 2) else 'group ' || p_group end, v_fault), 'Nothing was changed.');
  end if;

  update groups
  set max_running   = v_new.max_running,
      gap           = v_new.gap,
      gap_from      = v_new.gap_from,
      rate          = v_new.rate,
      rate_window   = v_new.rate_window,
      rate_left     = null,
      weight        = v_new.weight,
      next_start_at = case when p_settings ?| '{gap,rate,rate_window}' then null else next_start_at end
  where name = p_group;
  perform lock_groups(array[p_group], v_now);
  if v_old.next_start_at > v_now and p_settings ?| '{gap,rate,rate_window}' then
    perform bring_forward(p_group, v_old.next_start_at, v_now);
  end if;
  perform reopen_group(p_group);
  if v_new.max_running < v_old.running then
    perform recall_unstarted(p_group);
  end if;
end;
$$;
