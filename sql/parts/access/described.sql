-- described() — what describe() says, when a door acts for somebody; else null
--
-- One expression, so that Postgres inlines it: machines pay for a look at the setting.

create or replace function described(p_kind text, p_name text)
  returns jsonb
  language sql
as $$
  select case when is_called() then describe(p_kind, p_name) end;
$$;
