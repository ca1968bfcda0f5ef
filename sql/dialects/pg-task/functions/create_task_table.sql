-- create_task_table() — makes a task table, or brings it up to date
--
--   select pgtask.create_task_table('public', 'task');
--
-- A view over the engine that is inserted into, updated and deleted from, and a
-- queue of its own. The schema is made if it is not there.

create or replace function create_task_table(p_schema text default 'public', p_table text default 'task')
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue text := format('pg_task:%I.%I', p_schema, p_table);
begin
  if coalesce(p_schema, '') = '' or coalesce(p_table, '') = '' or octet_length(p_schema) > 63 or octet_length(p_table) > 63 then
    perform refuse('TK004', format('%s cannot be the name of a task table', coalesce(quote_ident(p_schema) || '.' || quote_ident(p_table), 'null')),
                   'Name a schema and a table of 1 to 63 bytes each.');
  end if;
  -- Whoever owns the schema may have put another view in its place.
  if exists (
    select from pg_class
    where relnamespace = to_regnamespace(quote_ident(p_schema)) and relname = p_table
      and not (is_trusted(relowner) and exists (select from task_tables where schema = p_schema and name = p_table))
  ) then
    perform refuse('TK004', format('%I.%I is there already and is no task table', p_schema, p_table),
                   'Choose another name, or move what is there out of the way.');
  end if;
  -- Not "if not exists": that asks for the right to create schemas even when this one is there.
  if to_regnamespace(quote_ident(p_schema)) is null then
    execute format('create schema %I', p_schema);
  end if;
  insert into task_tables (schema, name, queue) values (p_schema, p_table, v_queue) on conflict do nothing;
  if found then
    -- What somebody stopped is theirs to bring back; the rest is kept as in other queues.
    perform set_queue(v_queue, '{"on_lost": "retry", "keep_cancelled": "10 years"}');
  end if;
  perform make_view(p_schema, p_table, v_queue, state_type(p_schema, p_table));
  perform set_defaults(p_schema, p_table);
  perform make_triggers(p_schema, p_table, v_queue);
  perform grant_to_operators(p_schema, p_table);
end;
$$;
