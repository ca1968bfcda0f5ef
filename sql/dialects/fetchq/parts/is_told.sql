-- is_told() — whether a queue asked for notifications; asked before tell(), which nearly nobody needs

create or replace function is_told(p_config jsonb)
  returns boolean
  language sql
  immutable
as $$
  select coalesce(p_config ->> 'notify' = 'true', false);
$$;
