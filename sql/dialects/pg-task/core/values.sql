-- Rows of a task table: what their columns mean.

-- check_row() — refuses a row that pg_task's table would not have taken either

create or replace function check_row(p_row task_row)
  returns void
  language plpgsql
as $$
declare
  v_fault text;
begin
  v_fault := case
    -- A table that the user made may allow nulls.
    when num_nulls(p_row.plan, p_row.active, p_row.live, p_row.repeat, p_row.timeout, p_row.count, p_row.max,
                   p_row.state, p_row.delete, p_row.drift, p_row.header, p_row.save, p_row.string, p_row.delimiter,
                   p_row.escape, p_row.quote, p_row."group", p_row.input, p_row."null") > 0
      then format('null value in column %s', null_column(to_jsonb(p_row)))
    when not isfinite(p_row.plan) then 'plan must be a finite time'
    when p_row.active <= interval '0' then 'active must be longer than 0'
    -- 'infinity' means no end; otherwise it is a time that a calendar has.
    when isfinite(p_row.active) and extract(year from p_row.plan) + extract(epoch from p_row.active) / 31557600 > 294000
      then 'active leads beyond the end of the calendar'
    when p_row.live < interval '0' then 'live must not be negative'
    when not isfinite(p_row.repeat) then 'repeat must be a length of time'
    when p_row.repeat < interval '0' then 'repeat must not be negative'
    -- Months differ in length: with parts of both signs a step might lead back.
    when 0 > any (array[
      extract(year from p_row.repeat), extract(month from p_row.repeat), extract(day from p_row.repeat),
      extract(hour from p_row.repeat), extract(minute from p_row.repeat), extract(microseconds from p_row.repeat)
    ]) then 'no part of repeat may be negative'
    when p_row.timeout < interval '0' then 'timeout must not be negative'
    when p_row.count < 0 then 'count must not be negative'
  end;
  if v_fault is not null then
    perform refuse('TK004', 'invalid task: ' || v_fault, 'Nothing was changed. Correct the row and send it again.');
  end if;
  perform check_marks(p_row.delimiter, p_row.escape, p_row.quote);
end;
$$;

-- null_column() — the first column that is null and must not be

create or replace function null_column(p_row jsonb)
  returns text
  language sql
  immutable
as $$
  select quote_ident(name)
  from task_columns() with ordinality as known (name, type, usual, is_vital, about, place)
  where (usual is not null or is_vital) and p_row -> name = 'null'
  order by place
  limit 1;
$$;

-- check_marks() — refuses half of a character for delimiter, escape or quote
--
-- They are one byte; of a longer character only the first byte arrives.

create or replace function check_marks(variadic p_marks text[])
  returns void
  language plpgsql
as $$
begin
  if (select bool_or(mark::"char"::integer < 0) from unnest(p_marks) as given (mark)) then
    perform refuse('TK004', 'delimiter, escape and quote must be ASCII characters', 'Choose another character.');
  end if;
end;
$$;

-- group_name() — the engine's group for a group and a remote of a task table
--
-- As text, so that no two of them share a key; of one that is long or has several
-- lines a hash. Of the connection string there is only a hash, too: names of groups
-- are shown, and it may hold a password.

create or replace function group_name(p_queue text, p_group text, p_remote text)
  returns text
  language sql
  immutable
as $$
  select p_queue || ':' || coalesce(encode(sha256(convert_to(p_remote, 'UTF8')), 'hex'), 'local') || ':'
    || case when length(p_group) > 500 or strpos(p_group, chr(10)) > 0
            then encode(sha256(convert_to(p_group, 'UTF8')), 'hex') else p_group end;
$$;

-- hidden() — a connection string without its passwords

create or replace function hidden(p_remote text)
  returns text
  language sql
  immutable
as $$
  select hide_password('sql', jsonb_build_object('connection', jsonb_build_object('dsn', p_remote)))
         #>> '{connection,dsn}';
$$;
