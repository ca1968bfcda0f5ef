-- keep_text() — when a task of a task table ends: its output and error as text
--
-- Written once, in the format that the row has at its end. A task that is to vanish
-- when it has nothing to say is hidden at once and swept at the next occasion.

create or replace function keep_text()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_format jsonb   := new.meta -> 'pg_task';
  v_local  boolean := not new.payload ? 'connection';
  v_output text;
  v_error  text;
begin
  if new.state = 'done' then
    v_output := output_text(new.output -> 'results', v_format, v_local);
    if v_output is null and (v_format ->> 'delete')::boolean then
      v_format := v_format || '{"vanished": true}';
      new.keep_until := new.finished_at;
    end if;
  elsif new.reason = 'expired' then
    v_error := 'ERROR:  task not active';
  elsif new.state = 'failed' then
    v_output := coalesce(output_text(new.error -> 'results', v_format, v_local), '');
    v_error := error_text(new.error, new.payload ->> 'sql');
  end if;
  new.meta := new.meta || jsonb_build_object('pg_task', v_format || jsonb_build_object('output', v_output, 'error', v_error));
  return new;
end;
$$;
