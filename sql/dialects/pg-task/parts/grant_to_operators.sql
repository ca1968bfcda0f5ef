-- grant_to_operators() — lets those who may cancel tasks write to a task table
--
-- Everybody else needs a GRANT on the table, and allow_sql() to have SQL run.

create or replace function grant_to_operators(p_schema text, p_table text)
  returns void
  language plpgsql
as $$
declare
  v_role text;
begin
  for v_role in
    select rolname
    from pg_proc, aclexplode(proacl) as given
    join pg_roles on pg_roles.oid = given.grantee
    where pg_proc.oid = 'cancel(bigint)'::regprocedure and given.grantee <> proowner
  loop
    execute format('grant select, insert, update, delete on %I.%I to %I', p_schema, p_table, v_role);
  end loop;
end;
$$;
