-- Read what a statement returned.

-- background_result() — waits for a task and gives what its last statement gave, or raises its error
--
-- For pg_background_result() and pg_background_rows(), which make rows of it with the
-- caller's own rights: to read a value of some type may mean to call a function of
-- the owner of that type.

create or replace function background_result(p_id bigint, p_cookie bigint)
  returns jsonb
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_task   record;
  v_notice text;
begin
  perform background_require(p_id, p_cookie);
  perform background_wait(array[p_id], 0);
  select keeps_rows, output, error, (background_error(state, reason, error)).* into v_task
  from background_task
  where id = p_id;
  if not found then
    perform refuse('42704', format('background task %s has been deleted', p_id), 'Its retention is over.');
  end if;
  for v_notice in
    select value ->> 'message'
    from jsonb_array_elements(coalesce(v_task.output, v_task.error) -> 'notices') as notice (value)
  loop
    raise notice '%', v_notice;
  end loop;
  if v_task.sqlstate is not null then
    perform background_raise(row(
      v_task.sqlstate, v_task.message, v_task.detail, v_task.hint, v_task.context, v_task.schema_name,
      v_task.table_name, v_task.column_name, v_task.constraint_name)::pg_background_error);
  end if;
  if not v_task.keeps_rows then
    perform refuse('55000', format('background task %s was submitted, and keeps no rows', p_id),
                   'Launch it to have its rows; pg_background_outcome() shows how it ended.');
  end if;
  return background_last_result(v_task.output)
    || (select jsonb_build_object('style', payload #> '{settings,IntervalStyle}') from ended_task where id = p_id);
end;
$$;

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

-- pg_background_result_info() — how many rows a task gave, and when it ran

create or replace function pg_background_result_info(pid bigint, cookie bigint default null)
  returns pg_background_result_info
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_info pg_background_result_info;
begin
  perform background_require(pid, cookie);
  select (background_last_result(output) ->> 'row_count')::bigint, background_last_result(output) ->> 'tag',
         state in ('done', 'failed', 'cancelled'), state in ('failed', 'cancelled'), started_at, finished_at
  into v_info
  from background_task
  where id = pid;
  return v_info;
end;
$$;

create or replace function pg_background_result_info_v2(pid bigint, cookie bigint)
  returns pg_background_result_info
  language sql
  set search_path from current
as $$
  select pg_background_result_info(pid, cookie);
$$;

-- pg_background_rows() — as pg_background_result(), each row an object: no column list is needed
--
--   select value ->> 'name' from pg_background_rows(17) as value;
--
-- Values of types that another role made are text: background_plain_types() says why.

create or replace function pg_background_rows(pid bigint, cookie bigint default null)
  returns setof jsonb
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
  v_result := background_plain_types(v_result);
  v_before := background_read_as(v_result ->> 'style');
  return query execute format('select to_jsonb(made) from (%s) as made', background_rows(v_result)) using v_result;
  perform background_read_as(v_before);
end;
$$;

-- pg_background_error_info() — the error with which a task ended; null when there was none

create or replace function pg_background_error_info(pid bigint, cookie bigint default null)
  returns pg_background_error
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  return (select background_error(state, reason, error) from background_task where id = pid);
end;
$$;

create or replace function pg_background_error_info_v2(pid bigint, cookie bigint)
  returns pg_background_error
  language sql
  set search_path from current
as $$
  select pg_background_error_info(pid, cookie);
$$;

-- pg_background_full_sql() — the SQL of a task, all of it

create or replace function pg_background_full_sql(pid bigint, cookie bigint default null)
  returns text
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  return (select sql from background_task where id = pid);
end;
$$;

create or replace function pg_background_full_sql_v2(pid bigint, cookie bigint)
  returns text
  language sql
  set search_path from current
as $$
  select pg_background_full_sql(pid, cookie);
$$;
