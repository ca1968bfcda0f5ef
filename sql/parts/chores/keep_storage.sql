-- keep_storage() — prepares the coming days of finished, drops the empty ones, and
-- brings the block range indexes that sweep() reads up to date
--
-- Answers how many days were dropped and how many block ranges were summarised. A
-- table that is in use is left for the next time.

create or replace function keep_storage()
  returns bigint
  language plpgsql
  set lock_timeout = '1s'
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_done  bigint;
  v_index regclass;
begin
  perform prepare_days(v_now);
  v_done := drop_days(v_now);
  for v_index in
    select inhrelid::regclass from pg_inherits where inhparent = 'finished_to_sweep'::regclass
    union all
    select 'events_to_sweep'::regclass
  loop
    begin
      v_done := v_done + brin_summarize_new_values(v_index);
    exception
      when lock_not_available or undefined_table or undefined_object then null;
    end;
  end loop;
  return v_done;
end;
$$;
