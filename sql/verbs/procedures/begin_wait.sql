-- begin_wait(): running → waiting, unless what it waits for has come: then that is the answer
--
-- Part of delay() and await(), which find it by the schema that the setting tusk.run
-- names: what commits may neither set a search path nor be SECURITY DEFINER. The token of that setting proves for
-- which task it speaks.

create or replace function begin_wait(p_wait jsonb, p_is_new boolean, out is_over boolean, out output jsonb)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_over steps[];
begin
  perform use_name((read_run()).id, p_wait ->> 'name', coalesce(p_is_new, false));
  v_over := suspend_task(hold_run(), jsonb_build_array(jsonb_strip_nulls(p_wait)));
  is_over := v_over is not null;
  output := (v_over[1]).output;
end;
$$;
