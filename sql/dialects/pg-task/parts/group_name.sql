-- group_name() — the engine's group for a group and a remote of a task table
--
-- As text, so that no two of them share a key; of one that is long or has several
-- lines a hash. Of the connection string there is only a hash, too: names of groups
-- are shown, and it may hold a password.

create or replace function group_name(p_queue text, p_group text, p_remote text)
  returns text
  language sql
  immutable
as $$
  select p_queue || ':' || coalesce(encode(sha256(convert_to(p_remote, 'UTF8')), 'hex'), 'local') || ':'
    || case when length(p_group) > 500 or strpos(p_group, chr(10)) > 0 then encode(sha256(convert_to(p_group, 'UTF8')), 'hex')
            else p_group end;
$$;
