-- pg_background_result() — waits for a task and gives the rows of its last statement, or raises its error
--
--   select * from pg_background_result(17) as (id integer, name text);
--
-- A statement that gives no rows gives its command tag, as one column of text. Types
-- must be those that the statement gave. As often as you like, from any session,
-- until the task's retention is over.

create or replace function pg_background_result(pid bigint, cookie bigint default null)
  returns setof record
  language plpgsql
  set search_path from current
as $$
declare
  v_result jsonb := background_result(pid, cookie);
  v_before text;
begin
  if v_result is null then
    return;
  end if;
  if (v_result ->> 'dropped')::bigint > 0 then
    raise warning '% of % rows were not kept', v_result ->> 'dropped', v_result ->> 'row_count';
  end if;
  v_before := background_read_as(v_result ->> 'style');
  return query execute background_rows(v_result) using v_result;
  perform background_read_as(v_before);
end;
$$;

create or replace function pg_background_result_v2(pid bigint, cookie bigint)
  returns setof record
  language plpgsql
  set search_path from current
as $$
declare
  v_result jsonb := background_result(pid, cookie);
  v_before text;
begin
  if v_result is null then
    return;
  end if;
  if (v_result ->> 'dropped')::bigint > 0 then
    raise warning '% of % rows were not kept', v_result ->> 'dropped', v_result ->> 'row_count';
  end if;
  v_before := background_read_as(v_result ->> 'style');
  return query execute background_rows(v_result) using v_result;
  perform background_read_as(v_before);
end;
$$;
