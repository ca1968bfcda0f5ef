-- plans_anew() — whether a change of a schedule's settings changes its planned times

create or replace function plans_anew(p_old schedules, p_new schedules)
  returns boolean
  language sql
  immutable
as $$
  select row(p_old.cron, p_old.every::text, p_old.at, p_old.zone, p_old.starts_at, p_old.ends_at, p_old.drift)
    is distinct from row(p_new.cron, p_new.every::text, p_new.at, p_new.zone, p_new.starts_at, p_new.ends_at, p_new.drift);
$$;
