-- output_text() — what a task printed, as pg_task writes it; null when it printed nothing
--
-- A line break comes before a line only when there is text before it, so empty lines
-- at the beginning vanish. p_is_local: there, the end of a transaction that the task
-- left open is printed too.

create or replace function output_text(p_results jsonb, p_format jsonb, p_is_local boolean)
  returns text
  language plpgsql
  immutable
as $$
declare
  v_text   text;
  v_result jsonb;
  v_lines  text[];
  v_line   text;
begin
  for v_result in
    select value from jsonb_array_elements(p_results) with ordinality as each (value, place) order by place
  loop
    if v_result ? 'copy' then
      v_text := concat(v_text, v_result ->> 'copy');
      continue;
    end if;
    v_lines := case
      when jsonb_typeof(v_result -> 'columns') = 'array' then result_lines(v_result, p_format)
      when v_result ? 'implied' and not p_is_local then '{}'
      else array_remove(array[v_result ->> 'tag'], null)
    end;
    if v_lines = '{}' then
      continue;
    end if;
    if coalesce(v_text, '') = '' then
      -- Nothing is before the first line that has something in it.
      while v_lines[1] = '' loop
        v_lines := v_lines[2:];
      end loop;
      v_text := '';
    else
      v_text := v_text || e'\n';
    end if;
    v_text := v_text || array_to_string(v_lines, e'\n');
  end loop;
  return v_text;
end;
$$;
