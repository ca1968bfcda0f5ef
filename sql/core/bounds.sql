-- How large a value may be that callers have stored, and the checks of plain arguments.

-- bound() — how large a value may be that callers have stored
--
-- The one place that states it; docs/reference/limits.md lists it. Names, keys and tags
-- are counted in characters. `index` is in bytes, for groups and keys: a row of an index
-- has room for 2,704, and the longest holds a queue of 200 characters, 4 bytes each, and a
-- group or a key. JSON is counted in bytes, as Postgres has it in memory. What payloads
-- may have is a setting of their queue.
--
-- A single expression, so Postgres inlines it and keeps the number in the plan.

create or replace function bound(p_of text)
  returns integer
  language sql
  immutable
as $$
  select case p_of
    when 'name' then 200
    when 'chore' then 100
    when 'key' then 500
    when 'index' then 1800
    when 'group' then 2000
    when 'groups' then 10
    when 'tag' then 200
    when 'tags' then 100
    when 'host' then 500
    when 'level' then 50
    when 'line' then 4000
    when 'meta' then 65536
    when 'state' then 65536
    when 'settings' then 1048576
    when 'error' then 1048576
    when 'progress' then 8388608
    when 'output' then 16777216
    when 'whole output' then 268435455
    when 'queues' then 10000
    when 'bulk' then 100000
    when 'lanes' then 1000
    when 'pack' then 32
    when 'pack bytes' then 1800
    when 'checkpoint' then 1048576
    when 'chunk' then 262144
    when 'chunks' then 100000
    when 'depth' then 1000
  end;
$$;

-- is_list() — whether an array is empty, left out, or a plain list of at most so many elements
--
-- Verbs read arrays by subscript, from 1 on. An array of arrays, or one that begins
-- elsewhere, would be read as nulls. A single expression, so Postgres inlines it.

create or replace function is_list(p_array anyarray, p_most integer default null)
  returns boolean
  language sql
  immutable
as $$
  select coalesce(
    array_ndims(p_array) = 1 and array_lower(p_array, 1) = 1
      and (p_most is null or cardinality(p_array) <= p_most), true);
$$;

-- check_list() — refuses an array that is more than a plain list

create or replace function check_list(p_name text, p_array anyarray)
  returns void
  language plpgsql
as $$
begin
  if not is_list(p_array) then
    perform refuse('TK004', format('%s must be a one-dimensional array', p_name),
                   'Give an array of one dimension that begins at 1, such as array[1, 2].');
  end if;
end;
$$;

-- check_name() — refuses what is empty or too long for a name

create or replace function check_name(p_what text, p_name text)
  returns void
  language plpgsql
as $$
begin
  if coalesce(length(p_name), 0) not between 1 and bound('name') then
    perform refuse(
      'TK004',
      case when coalesce(p_name, '') = '' then format('%s needs a name', p_what)
           else format('the name of %s has %s characters, at most %s can be stored', p_what, length(p_name),
                       bound('name')) end,
      format('Give it a name of 1 to %s characters.', bound('name')));
  end if;
end;
$$;

-- check_size() — refuses JSON that is larger than bound() allows for its kind

create or replace function check_size(p_kind text, p_name text, p_value jsonb)
  returns void
  language plpgsql
as $$
begin
  if pg_column_size(p_value) > bound(p_kind) then
    perform refuse('TK005',
                   format('%s has %s bytes, at most %s can be stored', p_name, pg_column_size(p_value), bound(p_kind)),
                   'Store the data elsewhere and keep a reference to it.');
  end if;
end;
$$;

-- check_sizes() — refuses a bulk if one of these values is larger than bound() allows for its kind
--
-- All of them together first: only when they are too large need each be looked at.

create or replace function check_sizes(p_kind text, p_values jsonb[])
  returns void
  language plpgsql
as $$
declare
  v_place bigint;
  v_size  integer;
begin
  if coalesce(pg_column_size(p_values) <= bound(p_kind), true) then
    return;
  end if;
  select i, pg_column_size(p_values[i]) into v_place, v_size
  from generate_subscripts(p_values, 1) as i
  where pg_column_size(p_values[i]) > bound(p_kind)
  limit 1;
  if found then
    perform refuse_task(
      'TK005', v_place,
      format('the %s of %s has %s bytes, at most %s can be stored', p_kind,
             case when cardinality(p_values) > 1 then format('task %s of %s', v_place, cardinality(p_values))
                  else 'the task' end,
             v_size, bound(p_kind)),
      'Nothing was changed. Store the data elsewhere and keep a reference to it.');
  end if;
end;
$$;

-- check_outputs() — refuses outputs that are larger than bound() allows
--
-- The output of a SQL task that asks for all of it (`whole`) may have what a jsonb can hold;
-- the check is made only for outputs that are too large for other tasks.

create or replace function check_outputs(p_ids bigint[], p_outputs jsonb[])
  returns void
  language plpgsql
as $$
begin
  if coalesce(pg_column_size(p_outputs) <= bound('output'), true) then
    return;
  end if;
  perform check_sizes('output', array(
    select case when pg_column_size(p_outputs[i]) > bound('output') and exists (
                  select from tasks where id = p_ids[i] and kind = 'sql' and payload -> 'whole' = 'true')
                then null else p_outputs[i] end
    from generate_subscripts(p_ids, 1) as i));
end;
$$;

-- check_worker() — refuses what cannot be the id of a worker
--
-- Ids stand in indexes, and in the notice that tells the next leader of a chore.

create or replace function check_worker(p_worker text)
  returns void
  language plpgsql
as $$
begin
  if coalesce(length(p_worker), 0) not between 1 and bound('name') then
    perform refuse(
      'TK004',
      case when coalesce(p_worker, '') = '' then 'a worker needs an id'
           else format('the id of a worker has %s characters, at most %s can be stored', length(p_worker),
                       bound('name')) end,
      'Give one that is random per process start, such as gen_random_uuid().');
  end if;
end;
$$;

-- plausible_time() — a time that a worker reported, or null if it cannot be right
--
-- A clock that is wrong by days is believed. Infinity is not: views subtract these times.
-- Nor are years that other programs cannot read. A single expression, so Postgres inlines it.

create or replace function plausible_time(p_at timestamptz)
  returns timestamptz
  language sql
  immutable
as $$
  select case when p_at >= timestamptz '0001-01-02 00:00:00+00'
              and p_at < timestamptz '9999-12-31 00:00:00+00' then p_at end;
$$;

-- check_delays() — refuses a delay that leads beyond the calendar

create or replace function check_delays(p_delays interval[])
  returns void
  language plpgsql
as $$
declare
  v_delay interval;
begin
  foreach v_delay in array coalesce(p_delays, '{}') loop
    if v_delay not between interval '-4000 years' and interval '250000 years' then
      perform refuse('TK004', format('a delay of %s leads beyond the calendar', v_delay),
                     'Give an interval such as ''30 seconds''.');
    end if;
  end loop;
end;
$$;

-- check_round() — refuses a round of a chore that could deal with nothing

create or replace function check_round(p_limit integer)
  returns void
  language plpgsql
as $$
begin
  if p_limit < 1 then
    perform refuse('TK004', format('the limit of a chore cannot be %s', p_limit),
                   'Give a limit of 1 or more, or none.');
  end if;
end;
$$;
