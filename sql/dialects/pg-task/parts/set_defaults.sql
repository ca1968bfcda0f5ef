-- set_defaults() — what a column is when an INSERT leaves it out
--
-- The setting pg_task.<column> of the session, else of the role, the database, the
-- server, else what pg_task has built in: the first four are one to Postgres. A setting
-- that was set and taken back reads as '', which means unset.

create or replace function set_defaults(p_schema text, p_table text)
  returns void
  language plpgsql
as $$
declare
  v_column  text;
  v_type    text;
  v_default text;
begin
  for v_column, v_type, v_default in
    values ('active', 'interval', '1 hour'), ('live', 'interval', '0 sec'), ('repeat', 'interval', '0 sec'),
           ('timeout', 'interval', '0 sec'), ('count', 'integer', '0'), ('max', 'integer', '0'),
           ('delete', 'boolean', 'true'), ('drift', 'boolean', 'false'), ('header', 'boolean', 'true'),
           ('save', 'boolean', 'false'), ('string', 'boolean', 'true'), ('delimiter', '"char"', e'\t'),
           ('escape', '"char"', ''), ('quote', '"char"', ''), ('group', 'text', 'group'), ('null', 'text', E'\\N')
  loop
    execute format('alter view %I.%I alter column %I set default coalesce(nullif(current_setting(%L, true), ''''), %L)::%s',
                   p_schema, p_table, v_column, 'pg_task.' || v_column, v_default, v_type);
  end loop;
  execute format('alter view %I.%I alter column state set default ''PLAN''', p_schema, p_table);
  execute format(
    'alter view %I.%I alter column parent set default nullif(nullif(current_setting(''pg_task.id'', true), '''')::bigint, 0)',
    p_schema, p_table);
  -- pg_task splices the text of its setting into the statement; here it may name a clock, or be a time.
  execute format(
    $default$alter view %I.%I alter column plan set default
      case lower(coalesce(nullif(current_setting('pg_task.plan', true), ''), 'statement_timestamp()'))
        when 'statement_timestamp()' then statement_timestamp()
        when 'clock_timestamp()' then clock_timestamp()
        when 'transaction_timestamp()' then transaction_timestamp()
        when 'current_timestamp' then current_timestamp
        when 'now()' then now()
        else current_setting('pg_task.plan', true)::timestamptz
      end$default$, p_schema, p_table);
end;
$$;
