-- state_type() — the type of the column state: state in the table's schema, as pg_task has it
--
-- If something else has that name, <table>_state is made instead. So it is if the type
-- is another's: whoever owns a type says by which function it becomes text or JSON, and
-- the triggers of a task table would call that with the rights of the engine's owner.

create or replace function state_type(p_schema text, p_table text)
  returns text
  language plpgsql
as $$
declare
  c_labels constant text[] := '{PLAN,GONE,TAKE,WORK,DONE,FAIL,STOP}';
  v_name   text;
  v_type   oid;
begin
  foreach v_name in array array['state', left(p_table, 57) || '_state'] loop
    select oid into v_type from pg_type where typnamespace = quote_ident(p_schema)::regnamespace and typname = v_name;
    if not found then
      execute format('create type %I.%I as enum (%s)', p_schema, v_name,
                     (select string_agg(quote_literal(label), ', ') from unnest(c_labels) as label));
      execute format('grant usage on type %I.%I to public', p_schema, v_name);
      return format('%I.%I', p_schema, v_name);
    end if;
    if c_labels = array(select enumlabel::text from pg_enum where enumtypid = v_type order by enumsortorder)
       and exists (select from pg_type where oid = v_type and is_trusted(typowner)) then
      return format('%I.%I', p_schema, v_name);
    end if;
  end loop;
  perform refuse('TK004', format('the schema %I has other types named state and %s_state, or they are another role''s', p_schema, p_table),
                 'Choose another schema for the task table, or rename them.');
  return null;
end;
$$;
