-- grant_view() — lets a role read a view; written in grants.sql

create or replace function grant_view(p_role text, variadic p_views text[])
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_role text := install_role(p_role);
  v_view text;
begin
  foreach v_view in array p_views loop
    if not exists (
      select from pg_class
      where relnamespace = quote_ident(current_schema())::regnamespace and relname = v_view and relkind = 'v'
    ) then
      raise exception sqlstate 'TK004' using
        message = format('there is no view %I to grant', v_view),
        hint    = 'Correct the name in grants.sql.';
    end if;

    if v_role is not null then
      execute format('grant select on %I to %I', v_view, v_role);
    end if;
  end loop;
end;
$$;
