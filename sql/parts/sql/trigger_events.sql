-- trigger_events() — when a trigger fires, in the words of CREATE TRIGGER

create or replace function trigger_events(p_trigger jsonb)
  returns text
  language sql
  stable
as $$
  select string_agg(
    event || case when event = 'update' and p_trigger ? 'columns'
                  then ' of ' || (select string_agg(quote_ident(name), ', ') from jsonb_array_elements_text(p_trigger -> 'columns') as name)
                  else '' end, ' or ')
  from jsonb_array_elements_text(coalesce(p_trigger -> 'on', '["insert", "update"]')) as event;
$$;
