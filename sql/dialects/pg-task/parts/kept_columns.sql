-- kept_columns() — the text of columns that a task keeps in its meta, for the definition of a view

create or replace function kept_columns(p_from text, p_names text[])
  returns text
  language sql
  immutable
as $$
  select string_agg(
    format('(%I.meta #>> ''{pg_task,%s}'')::%s as %I', p_from, name,
      case
        when name in ('active', 'live', 'repeat', 'timeout') then 'interval'
        when name in ('count', 'max') then 'integer'
        when name in ('delete', 'drift', 'header', 'save', 'string') then 'boolean'
        when name in ('delimiter', 'escape', 'quote') then '"char"'
        else 'text'
      end, name), ', ' order by place)
  from unnest(p_names) with ordinality as each (name, place);
$$;
