-- output_as_text() — the output of a SQL task, or its error's, as lines of text
--
--   select output_as_text(output, '{"delimiter": ",", "quote": "\"", "escape": "\""}') from task where id = 7;
--
-- Rows of values under their names, and the tags of statements that give no rows. The
-- format says header (names above two columns or more; true), string (quote only what
-- is text; true), delimiter (tab), quote, escape (none) and null (\N); with
-- "implied": true the runner's own COMMIT is shown too. Null when there is nothing to
-- show; what a failed task gave before it failed is at least empty.

create or replace function output_as_text(p_output jsonb, p_format jsonb default '{}')
  returns text
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  c_not_text constant integer[] := '{16,20,21,23,26,27,28,29,700,701,1560,1700}';
  v_header    boolean;
  v_string    boolean;
  v_delimiter text;
  v_quote     text;
  v_escape    text;
  v_null      text;
  v_text      text;
begin
  if jsonb_typeof(p_format) <> 'object'
     or p_format - '{header,string,delimiter,quote,escape,"null",implied}'::text[] <> '{}' then
    perform refuse('TK004', 'the format must be an object of known options',
                   'The options are header, string, delimiter, quote, escape, null and implied.');
  end if;
  if (p_format ->> 'header') not in ('true', 'false') or (p_format ->> 'string') not in ('true', 'false')
     or (p_format ->> 'implied') not in ('true', 'false') then
    perform refuse('TK004', 'header, string and implied of the format must be booleans', 'Write {"header": false}.');
  end if;
  v_header := coalesce((p_format ->> 'header')::boolean, true);
  v_string := coalesce((p_format ->> 'string')::boolean, true);
  v_delimiter := coalesce(p_format ->> 'delimiter', E'\t');
  v_quote := coalesce(p_format ->> 'quote', '');
  v_escape := coalesce(p_format ->> 'escape', '');
  v_null := coalesce(p_format ->> 'null', E'\\N');
  with results as (
    select place, value as result
    from jsonb_array_elements(case when jsonb_typeof(p_output -> 'results') = 'array' then p_output -> 'results' end)
      with ordinality as each (value, place)
  ), lines as (
    -- Names, above the first row.
    select place, 0::bigint as line, true as begins,
           (select string_agg(quote_with_escape(name, v_quote, v_escape), v_delimiter order by nth)
            from jsonb_array_elements(result -> 'columns') with ordinality as each (named, nth),
                 coalesce(named ->> 'name', '') as name) as text
    from results
    where v_header and result #> '{columns,1}' is not null and result #> '{rows,0}' is not null
    union all
    select place, line, true,
           coalesce((
             select string_agg(
                      case
                        when given is null then v_null
                        when v_quote <> ''
                          and not (v_string and (result #>> array['columns', (nth - 1)::text, 'type_oid'])::integer
                                                = any (c_not_text))
                          then quote_with_escape(given, v_quote, v_escape)
                        else given
                      end, v_delimiter order by nth)
             from jsonb_array_elements_text(fields) with ordinality as each (given, nth)), '')
    from results, jsonb_array_elements(result -> 'rows') with ordinality as each (fields, line)
    union all
    -- What COPY wrote goes where the last line ends.
    select place, 1, false, result ->> 'copy' from results where result ? 'copy'
    union all
    select place, 1, true, result ->> 'tag'
    from results
    where not result ? 'copy' and jsonb_typeof(result -> 'columns') = 'null' and result ->> 'tag' is not null
      and (not result ? 'implied' or (p_format ->> 'implied')::boolean)
  ), numbered as (
    select text, begins, row_number() over (order by place, line) as nth from lines
  )
  -- Lines that are empty vanish as long as nothing stands before them.
  select string_agg(
           case when begins and nth > first then E'\n' else '' end || text, '' order by nth)
  into v_text
  from numbered,
       (select coalesce(min(nth) filter (where text <> ''), max(nth)) as first from numbered) as filled;

  return case when p_output ? 'code' then coalesce(v_text, '') else v_text end;
end;
$$;

-- quote_with_escape() — a value between quotes, with an escape before quotes and escapes in it

create or replace function quote_with_escape(p_text text, p_quote text, p_escape text)
  returns text
  language sql
  immutable
as $$
  select case
    when p_quote = '' then p_text
    when p_escape = '' then p_quote || p_text || p_quote
    when p_quote = p_escape then p_quote || replace(p_text, p_quote, p_quote || p_quote) || p_quote
    else p_quote
      || replace(replace(p_text, p_escape, p_escape || p_escape), p_quote, p_escape || p_quote)
      || p_quote
  end;
$$;
