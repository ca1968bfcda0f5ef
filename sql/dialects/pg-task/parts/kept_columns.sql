-- kept_columns() — the columns that a task keeps in its meta, for the definition of a view
--
-- Whoever may enqueue may write anything into meta, so nothing there is taken for what
-- it should be: one odd task must not hide all the others behind an error.

create or replace function kept_columns(p_from text, p_names text[])
  returns text
  language sql
  stable
as $$
  select string_agg(
    format(
      case
        when name in ('active', 'live', 'repeat', 'timeout')
          then 'case when %1$I.meta #>> ''{pg_task,%2$s}'' ~ ' || quote_literal(interval_shape())
            || ' then (%1$I.meta #>> ''{pg_task,%2$s}'')::interval end'
        when name in ('count', 'max') then whole_number('%1$I.meta #> ''{pg_task,%2$s}''')
        when name in ('delete', 'drift', 'header', 'save', 'string')
          then 'case when jsonb_typeof(%1$I.meta #> ''{pg_task,%2$s}'') = ''boolean'' then (%1$I.meta #> ''{pg_task,%2$s}'')::boolean end'
        when name in ('delimiter', 'escape', 'quote')
          then 'case when octet_length(%1$I.meta #>> ''{pg_task,%2$s}'') < 2 then (%1$I.meta #>> ''{pg_task,%2$s}'')::"char" end'
        else '%1$I.meta #>> ''{pg_task,%2$s}'''
      end || ' as %2$I', p_from, name), ', ' order by place)
  from unnest(p_names) with ordinality as each (name, place);
$$;
