-- replan() — gives a schedule whose times have changed its next one, from now on
--
-- An interval goes on counting from where it did, unless it is another or begins anew.
-- One that has no time left is refused, or is over, as the caller says.

create or replace function replan(p_old schedules, p_new schedules, p_now timestamptz, p_may_be_over boolean)
  returns schedules
  language plpgsql
as $$
declare
  v_new schedules := p_new;
begin
  if row(p_old.every::text, p_old.starts_at, p_old.drift) is distinct from row(v_new.every::text, v_new.starts_at, v_new.drift) then
    v_new.anchor := coalesce(v_new.starts_at, date_trunc('milliseconds', p_now));
  end if;
  v_new.missed_until := null;
  v_new.words := schedule_in_words(v_new);
  v_new.next_at := next_planned(v_new, p_now);
  if v_new.next_at is null and p_may_be_over then
    v_new.look_at := null;
    return v_new;
  elsif v_new.next_at is null then
    perform refuse_schedule(v_new.name, 'it has no time left to come');
  end if;
  if v_new.drift = 'finished' and v_new.live <> '{}' then
    v_new.next_at := null;
  end if;
  v_new.look_at := coalesce(v_new.next_at, p_now);
  return v_new;
end;
$$;
