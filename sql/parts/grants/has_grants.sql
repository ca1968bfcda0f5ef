-- has_grants() — whether any queue has grants; without, every check is over at once

create or replace function has_grants()
  returns boolean
  language sql
  stable
as $$
  select has_grants from queues where name = '*';
$$;
