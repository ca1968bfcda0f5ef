-- result_lines() — the lines of one result: names, when there are several columns, then the rows

create or replace function result_lines(p_result jsonb, p_format jsonb)
  returns text[]
  language plpgsql
  immutable
as $$
declare
  -- bool, int8, int2, int4, oid, tid, xid, cid, float4, float8, bit, numeric
  c_no_strings constant integer[] := '{16,20,21,23,26,27,28,29,700,701,1560,1700}';
  v_delimiter  text := p_format ->> 'delimiter';
  v_quote      text := p_format ->> 'quote';
  v_escape     text := p_format ->> 'escape';
  v_null       text := p_format ->> 'null';
  v_quoted     boolean[];
  v_lines      text[];
begin
  v_quoted := array(
    select not (p_format ->> 'string')::boolean or (each.value ->> 'type_oid')::bigint <> all (c_no_strings)
    from jsonb_array_elements(p_result -> 'columns') with ordinality as each (value, place)
    order by place
  );
  v_lines := array(
    select coalesce((
      select string_agg(
        case
          when cell.value is null then v_null
          when v_quote = '' or not v_quoted[cell.place] then cell.value
          else quoted(cell.value, v_quote, v_escape)
        end, v_delimiter order by cell.place)
      from jsonb_array_elements_text(line.value) with ordinality as cell (value, place)
    ), '')
    from jsonb_array_elements(p_result -> 'rows') with ordinality as line (value, place)
    order by line.place
  );
  if v_lines <> '{}' and cardinality(v_quoted) > 1 and (p_format ->> 'header')::boolean then
    v_lines := (
      select string_agg(
        case when v_quote = '' then each.value ->> 'name' else quoted(each.value ->> 'name', v_quote, v_escape) end,
        v_delimiter order by each.place)
      from jsonb_array_elements(p_result -> 'columns') with ordinality as each (value, place)
    ) || v_lines;
  end if;
  return v_lines;
end;
$$;
