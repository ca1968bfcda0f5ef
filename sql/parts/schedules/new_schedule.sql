-- new_schedule() — a schedule before anything is set

create or replace function new_schedule(p_name text, p_now timestamptz)
  returns schedules
  language plpgsql
as $$
declare
  v_new schedules;
begin
  v_new.name := p_name;
  v_new.anchor := p_now;
  v_new.live := '{}';
  v_new.failures := 0;
  v_new.revision := 0;
  v_new.secret := gen_random_uuid();
  v_new.created_by := submitter();
  v_new.created_at := p_now;
  return v_new;
end;
$$;
