-- init() — false: everything was initialized when the dialect was installed

create or replace function init(out was_initialized boolean)
  language sql
  immutable
as $$
  select false;
$$;
