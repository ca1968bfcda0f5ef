-- Which errors of SQL tasks another attempt cannot fix.

-- is_permanent() — whether a SQL task that failed so fails again, however often it is tried
--
-- By the class of the SQLSTATE. The text, the schema or the data is wrong, and the next attempt
-- finds the same:
--
--   0A  feature not supported            22  data exception (division by zero, bad input)
--   21  cardinality violation            2B  dependent objects still exist
--   2F  SQL routine exception            3B  savepoint exception
--   3F  invalid schema name              42  syntax error, unknown name, missing right
--   44  WITH CHECK OPTION violation      54  program limit exceeded
--
-- Every other class is retried. 08, 53, 55, 57, 58 and XX: the server or its resources. 40: a
-- deadlock or a serialization failure. 23: other transactions add and remove the rows that
-- constraints compare. 25: a server is read only after a failover. 26 and 34: names that
-- belong to a session, and the next attempt may have another. 28 and 3D: rights and databases that
-- are being set up. P0 and codes of your own: the code that raises them decides.

create or replace function is_permanent(p_error jsonb)
  returns boolean
  language sql
  immutable
as $$
  select case p_error ->> 'name'
    when 'SqlError' then left(p_error ->> 'code', 2) = any ('{0A,21,22,2B,2F,3B,3F,42,44,54}')
    when 'SqlConnectionError' then p_error ->> 'code' = 'connection_string_invalid'
    else false
  end;
$$;

-- is_empty_sql() — whether a text has no statement: only spaces, semicolons and comments
--
-- One expression without captures, so that the time grows with the length of the text.

create or replace function is_empty_sql(p_sql text)
  returns boolean
  language sql
  immutable
as $$
  select p_sql ~ e'^(\\s|;|--[^\\r\\n]*|/\\*([^*]|\\*+[^*/])*\\*+/)*$';
$$;
