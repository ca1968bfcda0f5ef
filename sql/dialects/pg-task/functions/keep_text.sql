-- keep_text() — when a task of a task table ends: its output and error as text
--
-- Written once, in the format that the row has at its end. A task that is to vanish
-- when it has nothing to say is hidden at once and swept at the next occasion.
--
-- Whatever is wrong with a task, it must be able to end, and others with it.

create or replace function keep_text()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_row    jsonb := new.meta -> 'pg_task';
  v_format jsonb;
  v_output text;
  v_error  text;
begin
  -- Here, where pg_task ends a transaction that was left open, it prints that too.
  select jsonb_object_agg(name, value) || jsonb_build_object('implied', not new.payload ? 'connection')
  into v_format
  from jsonb_each(v_row) as given (name, value)
  where name in ('header', 'string', 'delimiter', 'quote', 'escape', 'null');
  if new.state = 'done' then
    v_output := output_as_text(new.output, v_format);
    -- What was too much to keep was not nothing.
    if v_output is null and (new.output ? 'results_dropped' or new.output @? '$.results[*] ? (@.dropped > 0 || @.copy_dropped > 0)') then
      v_output := '';
    end if;
    if v_output is null and (v_row ->> 'delete')::boolean then
      v_row := v_row || '{"vanished": true}';
      new.keep_until := new.finished_at;
    end if;
  elsif new.reason = 'expired' then
    v_error := 'ERROR:  task not active';
  elsif new.state = 'failed' then
    v_output := coalesce(output_as_text(new.error, v_format), '');
    v_error := error_text(new.error, new.payload ->> 'sql');
  end if;
  new.meta := new.meta || jsonb_build_object('pg_task', v_row || jsonb_build_object('output', v_output, 'error', v_error));
  return new;
exception when others then
  new.meta := coalesce(new.meta, '{}') || jsonb_build_object(
    'pg_task', coalesce(v_row, '{}') || jsonb_build_object('error', format('ERROR:  its text cannot be written: %s', sqlerrm)));
  return new;
end;
$$;
