-- Triggers on users' tables that enqueue a task per changed row.

-- enqueue_change() — what the triggers of set_trigger() do: a row has changed, a task is enqueued
--
-- In the name of the role that made the trigger, with the engine's own rights: a role that changes
-- the row need not be allowed to enqueue anything.

create or replace function enqueue_change()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_trigger row_triggers;
begin
  select * into v_trigger from row_triggers where name = tg_argv[0] and relation = tg_relid;
  if not found then
    return null;
  end if;
  perform set_config('tusk.acting_for', v_trigger.secret || v_trigger.name, true);
  perform store_tasks(read_tasks(jsonb_build_array(trigger_task(
    v_trigger.name, v_trigger.settings, format('%I.%I', tg_table_schema, tg_table_name), tg_op,
    case when tg_op <> 'INSERT' then row_as_json(tg_relid, old) end,
    case when tg_op <> 'DELETE' then row_as_json(tg_relid, new) end))));
  perform set_config('tusk.acting_for', '', true);
  return null;
end;
$$;

-- trigger_task() — the task that a changed row makes

create or replace function trigger_task(p_name text, p_trigger jsonb, p_table text, p_op text, p_old jsonb, p_new jsonb)
  returns jsonb
  language sql
  stable
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'queue', coalesce(p_trigger ->> 'queue', p_trigger ->> 'handler',
                      case when p_trigger ? 'statement' then 'sql' else p_name end),
    'kind', case when p_trigger ? 'statement' then 'sql' else coalesce(p_trigger ->> 'kind', 'handler') end,
    'handler', p_trigger -> 'handler',
    'priority', p_trigger -> 'priority',
    'max_attempts', p_trigger -> 'max_attempts',
    'timeout', p_trigger -> 'timeout',
    'run_at', clock_timestamp() + (p_trigger ->> 'delay')::interval,
    'window', p_trigger -> 'window'))
  || case when p_trigger ? 'key' then jsonb_build_object(
       'key', (select case when length(whole) <= 500 then whole else left(whole, 400) || md5(whole) end
               from (select p_name || ': '
                            || string_agg(encode_key_part(coalesce(p_new, p_old) ->> name), ', ' order by nth)
                     from jsonb_array_elements_text(p_trigger -> 'key') with ordinality as each (name, nth)
                    ) as key (whole)),
       'on_duplicate', coalesce(p_trigger ->> 'on_duplicate', 'replace'),
       'frees_key', true) else '{}' end
  || jsonb_build_object('payload', case when p_trigger ? 'statement'
       then jsonb_build_object('statement', p_trigger ->> 'statement', 'params', (
         select coalesce(jsonb_object_agg(param, coalesce(p_new, p_old) -> column_name), '{}')
         from (
           select key, value from jsonb_each_text(p_trigger -> 'params')
           union all
           select param, param
           from sql_statements, unnest(params) as param
           where name = p_trigger ->> 'statement' and not p_trigger ? 'params'
         ) as bound (param, column_name)))
       else jsonb_build_object('trigger', p_name, 'table', p_table, 'op', p_op, 'old', p_old, 'new', p_new) end);
$$;

-- encode_key_part() — a value in the key of a trigger's task: no two rows share a key unless their values are the same

create or replace function encode_key_part(p_value text)
  returns text
  language sql
  immutable
as $$
  select case
    when p_value is null then 'null'
    when p_value ~ '[",]' or p_value = 'null' then '"' || replace(p_value, '"', '""') || '"'
    else p_value
  end;
$$;

-- row_as_json() — a row of a user's table as JSON, without a call to any function of that user
--
-- to_jsonb() calls the casts that owners of types have made, and here that would be
-- with the rights of the engine's owner. Values of such types are given as Postgres
-- itself writes them; of an enum that is what to_jsonb() gives. Types of Postgres's own
-- have low numbers, so most tables have nothing to look into.

create or replace function row_as_json(p_table oid, p_row anyelement)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  c_first_of_users constant oid := 16384;
  v_columns text;
  v_row     jsonb;
begin
  if not exists (select from pg_catalog.pg_attribute
                 where attrelid = p_table and attnum > 0 and atttypid >= c_first_of_users) then
    return to_jsonb(p_row);
  end if;
  select string_agg(
           case
             when not is_foreign then format('($1).%I', attname)
             else format('case when num_nonnulls(($1).%1$I) > 0 then format(''%%s'', ($1).%1$I)%2$s end as %1$I',
                         attname, case when typcategory = 'A' then '::text[]' end)
           end, ', ' order by attnum)
  into v_columns
  from (
    select attname, attnum, typcategory,
           case when atttypid >= c_first_of_users then is_foreign_type(atttypid) else false end as is_foreign
    from pg_catalog.pg_attribute join pg_catalog.pg_type on pg_type.oid = atttypid
    where attrelid = p_table and attnum > 0 and not attisdropped
  ) as given
  having bool_or(is_foreign);
  if v_columns is null then
    return to_jsonb(p_row);
  end if;
  execute format('select to_jsonb(made) from (select %s) as made', v_columns) into v_row using p_row;
  return v_row;
end;
$$;

-- is_foreign_type() — whether making JSON of a value of this type may call a function of another role
--
-- The owner of a type may have made a cast to JSON for it. Those of arrays, rows and
-- domains are never used, but what is inside of them counts.

create or replace function is_foreign_type(p_type oid)
  returns boolean
  language sql
  stable
as $$
  with recursive types as (
    select p_type as type
    union
    select inner_type
    from types
    join pg_catalog.pg_type on pg_type.oid = types.type
    cross join lateral (
      select typbasetype where typtype = 'd'
      union all
      select typelem where typcategory = 'A'
      union all
      select atttypid from pg_catalog.pg_attribute where attrelid = typrelid and attnum > 0 and not attisdropped
    ) as inside (inner_type)
  )
  select exists (
    select from types join pg_catalog.pg_type on pg_type.oid = types.type
    where typtype not in ('c', 'd') and typcategory <> 'A' and not is_trusted(typowner));
$$;
