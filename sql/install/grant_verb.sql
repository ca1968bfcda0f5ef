-- grant_verb() — lets a role call a function, by whatever arguments; written in grants.sql
--
-- A name that no function has is a mistake in grants.sql and stops the run.

create or replace function grant_verb(p_role text, variadic p_verbs text[])
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_role text := install_role(p_role);
  v_verb text;
  v_each record;
begin
  foreach v_verb in array p_verbs loop
    for v_each in
      select case prokind when 'p' then 'procedure' else 'function' end as kind, oid::regprocedure as name
      from pg_proc
      where pronamespace = quote_ident(current_schema())::regnamespace and proname = v_verb
    loop
      if v_role is not null then
        -- Not "routine": that reads OUT arguments too, and may then mean two overloads.
        execute format('grant execute on %s %s to %I', v_each.kind, v_each.name, v_role);
      end if;
    end loop;
    if not found then
      raise exception sqlstate 'TK004' using
        message = format('there is no function %I to grant', v_verb),
        hint    = 'Correct the name in grants.sql.';
    end if;
  end loop;
end;
$$;
