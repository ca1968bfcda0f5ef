-- find_step() — whether a step is done, and what it gave
--
-- Part of step(), which finds it by the schema that the setting tusk.run names: what commits may neither set a
-- search path nor be SECURITY DEFINER. The token of that setting proves for which task it speaks.

create or replace function find_step(p_name text, p_is_new boolean, out is_done boolean, out output jsonb)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_run  record := read_run();
  v_step steps;
begin
  perform use_name(v_run.id, p_name, coalesce(p_is_new, false));
  select * into v_step from steps where task = v_run.id and name = p_name;
  if v_step.kind <> 'step' then
    perform refuse_other_kind(v_run.id, v_step, 'step');
  end if;
  is_done := coalesce(v_step.state = 'done', false);
  if is_done then
    output := v_step.output;
  end if;
end;
$$;
