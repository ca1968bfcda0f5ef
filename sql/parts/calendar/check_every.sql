-- check_every() — refuses an interval that cannot be a schedule's
--
-- A second is what firing can keep to. A negative part (1 month less 1 day) would let
-- the times run backwards somewhere in the calendar.

create or replace function check_every(p_every interval)
  returns void
  language plpgsql
  stable
as $$
begin
  if p_every is null then
    perform refuse('TK004', 'every must not be null', 'Write an interval such as 15 minutes, 1 day or 3 months.');
  end if;
  -- Compared as a whole first: an infinite interval, known since Postgres 17, has no parts.
  if p_every > interval '100 years' then
    perform refuse('TK004', format('every %s is longer than 100 years', p_every), 'Use at for a single time.');
  end if;
  if extract(year from p_every) < 0 or extract(month from p_every) < 0 or extract(day from p_every) < 0
     or extract(hour from p_every) < 0 or extract(minute from p_every) < 0 or extract(second from p_every) < 0 then
    perform refuse('TK004', format('every %s has a negative part', p_every), 'Write an interval such as 15 minutes, 1 day or 3 months.');
  end if;
  if p_every < interval '1 second' then
    perform refuse('TK004', format('every %s is shorter than 1 second', p_every), 'A schedule comes at most once a second; let its task do more at a time.');
  end if;
end;
$$;
