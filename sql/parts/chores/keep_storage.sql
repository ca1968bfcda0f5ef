-- keep_storage() — brings the block range indexes that sweep() reads up to date, prepares
-- the coming days of finished, and drops the empty ones
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
  v_done  bigint := 0;
  v_index regclass;
begin
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
  -- Last, because nobody can end a task while the history is held.
  perform prepare_days(v_now);
  return v_done + (select days from drop_days(10000, v_now));
end;
$$;
