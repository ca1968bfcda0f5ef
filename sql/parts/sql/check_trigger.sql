-- check_trigger() — refuses a trigger that could not do what it says

create or replace function check_trigger(p_table regclass, p_name text, p_trigger jsonb)
  returns void
  language plpgsql
as $$
declare
  v_columns text[] := array(
    select attname::text from pg_attribute where attrelid = p_table and attnum > 0 and not attisdropped);
  v_name    text;
begin
  select name into v_name
  from unnest('{on,columns,key}'::text[]) as name
  where p_trigger ? name and jsonb_typeof(p_trigger -> name) <> 'array'
     or name in ('on', 'columns') and p_trigger -> name = '[]';
  if found then
    perform refuse('TK004', format('%s of trigger %L must be a list', v_name, p_name), 'Write {"on": ["insert"], "key": ["id"]}.');
  end if;
  select event into v_name
  from jsonb_array_elements_text(coalesce(p_trigger -> 'on', '[]')) as event
  where event is null or event not in ('insert', 'update', 'delete');
  if found then
    perform refuse('TK004', format('nothing is called %L that could happen to a row', v_name), 'Write insert, update or delete.');
  end if;
  if p_trigger ? 'params' and jsonb_typeof(p_trigger -> 'params') <> 'object' then
    perform refuse('TK004', format('params of trigger %L must be an object', p_name), 'Write {"params": {"account": "account_id"}}.');
  end if;
  begin
    perform check_delays(array[(p_trigger ->> 'delay')::interval]);
  exception when data_exception then
    perform refuse('TK004', format('the delay of trigger %L cannot be read: %s', p_name, left(sqlerrm, 200)), 'Write {"delay": "30 seconds"}.');
  end;
  select name into v_name
  from (
    select jsonb_array_elements_text(coalesce(p_trigger -> 'columns', '[]'))
    union all
    select jsonb_array_elements_text(coalesce(p_trigger -> 'key', '[]'))
    union all
    select value from jsonb_each_text(coalesce(p_trigger -> 'params', '{}'))
    union all
    select unnest(params) from sql_statements where name = p_trigger ->> 'statement' and not p_trigger ? 'params'
  ) as named (name)
  where name is null or name <> all (v_columns);
  if found then
    perform refuse('TK004', format('%s has no column %L', p_table, v_name), 'Name the columns as the table does.');
  end if;
  -- As it will be, with a row of nulls: whoever makes the trigger must be allowed to enqueue it.
  perform check_trigger_task(p_name, trigger_task(p_name, p_trigger, p_table::text, 'INSERT', null, (
    select coalesce(jsonb_object_agg(name, null), '{}') from unnest(v_columns) as name)));
end;
$$;
