-- How the engine refuses a call: its own SQLSTATEs, a message, and what to do.

-- refuse() — raises an error with one of the engine's own SQLSTATEs
--
--   TK001 lease lost        TK003 wrong state          TK005 payload too large
--   TK002 task not found    TK004 invalid argument     TK006 key taken
--   TK007 leadership lost   TK008 schedule not found   TK009 token not found
--   TK010 operation not found                         TK013 not permitted
--   TK015 queue not found
--
-- TK011, TK012 and TK014 are the installer's.

create or replace function refuse(p_code text, p_message text, p_hint text)
  returns void
  language plpgsql
as $$
begin
  raise exception using errcode = p_code, message = p_message, hint = p_hint;
end;
$$;

-- refuse_task() — refuses a bulk because of one task in it
--
-- DETAIL gives its place, counted from 1, for programs that would send the others
-- without it: {"task": 3}.

create or replace function refuse_task(p_code text, p_place bigint, p_message text, p_hint text)
  returns void
  language plpgsql
as $$
begin
  raise exception using
    errcode = p_code, message = p_message, hint = p_hint, detail = jsonb_build_object('task', p_place)::text;
end;
$$;

-- refuse_unknown() — there is no such task

create or replace function refuse_unknown(p_id bigint)
  returns void
  language plpgsql
as $$
begin
  perform refuse(
    'TK002',
    format('there is no task %s', coalesce(p_id::text, 'null')),
    'It never existed, its transaction has not committed, or its retention is over.');
end;
$$;

-- suggest_word() — the one of these words that was probably meant; null when none is close
--
-- Counts letters to insert, drop or replace: a third of the word may be wrong, and two
-- letters swapped in a short one. Words of another length are not compared, and after
-- 100,000 pairs of letters no further word is: the names of 1,000 schedules took seconds.

create or replace function suggest_word(p_word text, p_words text[])
  returns text
  language plpgsql
  immutable
as $$
declare
  v_given text := left(lower(p_word), 50);
  v_word  text;
  v_row   integer[];
  v_left  integer;
  v_above integer;
  v_near  text;
  v_pairs integer := 0;
  v_least integer := greatest(length(v_given) / 3, case when length(v_given) > 3 then 2 else 1 end) + 1;
begin
  if p_word is null then
    return null;
  end if;
  foreach v_word in array p_words loop
    continue when abs(length(v_word) - length(v_given)) >= v_least;
    v_pairs := v_pairs + length(v_word) * length(v_given);
    exit when v_pairs > 100000;
    v_row := array(select n from generate_series(0, length(v_word)) as n);
    for i in 1 .. length(v_given) loop
      v_above := v_row[1];
      v_row[1] := i;
      for j in 1 .. length(v_word) loop
        v_left := v_row[j + 1];
        v_row[j + 1] := least(
          v_row[j] + 1, v_left + 1,
          v_above + (substr(v_given, i, 1) <> substr(v_word, j, 1))::integer);
        v_above := v_left;
      end loop;
    end loop;
    if v_row[length(v_word) + 1] < v_least then
      v_least := v_row[length(v_word) + 1];
      v_near := v_word;
    end if;
  end loop;
  return v_near;
end;
$$;

-- check_settings() — refuses a setting whose name is unknown

create or replace function check_settings(p_settings jsonb, p_known text[])
  returns void
  language plpgsql
as $$
declare
  v_unknown text;
begin
  if jsonb_typeof(p_settings) is distinct from 'object' then
    perform refuse('TK004', 'settings must be a JSON object',
                   'Write {"max_running": 5}; a null restores the default.');
  end if;
  select min(given.name) into v_unknown
  from jsonb_object_keys(p_settings) as given (name)
  where given.name <> all (p_known);
  if v_unknown is not null then
    perform refuse('TK004', format('unknown setting %L', v_unknown),
                   concat_ws(' ', 'Did you mean ' || suggest_word(v_unknown, p_known) || '?',
                             format('The settings are %s.', array_to_string(p_known, ', '))));
  end if;
end;
$$;

-- unfit_setting() — which setting does not fit the row it is for, and why; null when all do
--
-- Postgres says only that "many" is not an integer, not which setting has it.

create or replace function unfit_setting(p_row anyelement, p_settings jsonb)
  returns text
  language plpgsql
  stable
as $$
declare
  v_name  text;
  v_value jsonb;
begin
  for v_name, v_value in select key, value from jsonb_each(p_settings) loop
    begin
      perform jsonb_populate_record(p_row, jsonb_build_object(v_name, v_value));
    exception
      when data_exception then
        return format('%s: %s', v_name, sqlerrm);
    end;
  end loop;
  return null;
end;
$$;
