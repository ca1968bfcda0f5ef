-- next_runs() — all instants after p_after, to p_until, at which a cron expression comes in a zone

create or replace function next_runs(p_cron varbit[], p_zone text, p_after timestamptz, p_until timestamptz)
  returns setof timestamptz
  language plpgsql
  stable
as $$
declare
  v_at timestamptz := next_cron(p_cron, p_zone, p_after);
begin
  while v_at <= p_until loop
    return next v_at;
    v_at := next_cron(p_cron, p_zone, v_at);
  end loop;
end;
$$;
