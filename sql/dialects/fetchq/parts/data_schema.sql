-- data_schema() — where the relations of the queues are

create or replace function data_schema()
  returns text
  language sql
  stable
as $$
  select current_schema() || '_data';
$$;
