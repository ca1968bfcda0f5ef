-- sql_connection — the databases elsewhere that an admin registered
--
-- No secret is stored here: `secret` says where the worker finds it.

create view sql_connection as
  select name, options, secret, roles, granted_to
  from sql_connections;
