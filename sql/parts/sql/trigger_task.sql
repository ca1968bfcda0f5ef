-- trigger_task() — the task that a changed row makes

create or replace function trigger_task(p_name text, p_trigger jsonb, p_table text, p_op text, p_old jsonb, p_new jsonb)
  returns jsonb
  language sql
  stable
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'queue', coalesce(p_trigger ->> 'queue', p_trigger ->> 'handler', case when p_trigger ? 'statement' then 'sql' else p_name end),
    'kind', case when p_trigger ? 'statement' then 'sql' else coalesce(p_trigger ->> 'kind', 'handler') end,
    'handler', p_trigger -> 'handler',
    'priority', p_trigger -> 'priority',
    'max_attempts', p_trigger -> 'max_attempts',
    'timeout', p_trigger -> 'timeout',
    'run_at', clock_timestamp() + (p_trigger ->> 'delay')::interval,
    'window', p_trigger -> 'window'))
  || case when p_trigger ? 'key' then jsonb_build_object(
       'key', (select case when length(whole) <= 500 then whole else left(whole, 400) || md5(whole) end
               from (select p_name || ': ' || string_agg(key_part(coalesce(p_new, p_old) ->> name), ', ' order by nth)
                     from jsonb_array_elements_text(p_trigger -> 'key') with ordinality as each (name, nth)) as key (whole)),
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
