-- finite() — a time that the engine takes: infinity is far away, not beyond all time

create or replace function finite(p_at timestamptz)
  returns timestamptz
  language sql
  immutable
as $$
  select case p_at
    when 'infinity' then timestamptz '9999-12-31 00:00:00+00'
    when '-infinity' then timestamptz '0001-01-01 00:00:00+00'
    else p_at
  end;
$$;
