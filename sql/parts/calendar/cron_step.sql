-- cron_step() — the step of an item, 1 when it has none
--
-- A step that its field cannot hold is refused: */90 in the minute would come once an
-- hour, not every 90 minutes.

create or replace function cron_step(p_text text, p_field integer, p_step text, p_size integer)
  returns integer
  language plpgsql
  stable
as $$
begin
  if p_step is null then
    return 1;
  end if;
  if length(p_step) > 9 or p_step::integer not between 1 and p_size - 1 then
    perform refuse_cron(p_text, p_field, format('step %s is out of 1–%s', p_step, p_size - 1));
  end if;
  return p_step;
end;
$$;
