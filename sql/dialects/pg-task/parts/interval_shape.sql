-- interval_shape() — what an interval looks like in JSON: as Postgres writes it, and none that it could not read
--
-- Postgres has had endless ones since version 17.

create or replace function interval_shape()
  returns text
  language sql
  stable
as $$
  select '^(' || case when current_setting('server_version_num')::integer >= 170000 then '-?infinity|' else '' end
    || '(-?[0-9]{1,8} years? ?)?([+-]?[0-9]{1,2} mons? ?)?([+-]?[0-9]{1,9} days? ?)?([+-]?[0-9]{1,9}:[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?)?)$';
$$;
