-- sql_statement — the statements that an admin registered

create view sql_statement as
  select name, sql, params, role, connection, settings, granted_to
  from sql_statements;
