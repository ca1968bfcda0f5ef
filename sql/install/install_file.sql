-- install_file() — applies one file, unless this very text has been applied before
--
-- `create or replace` keeps a function's OID, so that sessions calling it go on. Some
-- changes cannot be made in place (a return type, an argument's name); then what the
-- file made before is dropped and the file applied again.
--
-- Each file runs in a subtransaction of its own, and its row in installed with it:
-- that is how install_record() knows what the file made.

create or replace function install_file(p_file install_files)
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  -- invalid_function_definition, wrong_object_type, duplicate_object, duplicate_function
  c_in_the_way constant text[] := array['42P13', '42809', '42710', '42723'];
  v_before  installed;
  v_message text;
  v_detail  text;
  v_hint    text;
  v_context text;
begin
  select * into v_before from installed where path = p_file.path;
  if v_before.hash = p_file.hash then
    return;
  end if;

  for v_try in 1..2 loop
    begin
      execute p_file.text;
      insert into installed (path, hash, is_breaking)
      values (p_file.path, p_file.hash, p_file.is_breaking)
      on conflict (path) do update
        set hash        = excluded.hash,
            is_breaking = excluded.is_breaking,
            applied_at  = excluded.applied_at;
      -- A program that shows the progress asks for it; INFO is sent at any client_min_messages.
      if current_setting('tusk.tells_files', true) = 'on' then
        raise info using message = 'applied ' || p_file.path, errcode = 'TKFIL';
      end if;
      return;
    exception when others then
      if v_try = 2 or v_before.creates is null or sqlstate <> all (c_in_the_way) then
        get stacked diagnostics
          v_message = message_text,
          v_detail = pg_exception_detail,
          v_hint = pg_exception_hint,
          v_context = pg_exception_context;
        raise exception using
          errcode = sqlstate,
          message = format('%s: %s', p_file.path, v_message),
          detail  = coalesce(nullif(v_detail, ''), v_context),
          hint    = coalesce(nullif(v_hint, ''), 'Nothing was changed: a run is one transaction.');
      end if;
    end;

    perform install_drop_views();
    perform install_drop(v_before.creates);
  end loop;
end;
$$;
