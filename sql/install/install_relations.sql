-- install_relations() — the tables and views that the run will lock
--
-- A migration or a trigger locks tables it names; which of its words are tables is
-- not for us to parse, so each one named counts, with its partitions. Views are taken
-- down as soon as one of them changes, or a table that a view may read.

create or replace function install_relations()
  returns table (name name, kind "char", owner name, is_partition boolean)
  language sql
  stable
  set search_path from current
as $$
  with own as (
    select oid, relname, relkind, relowner, relispartition,
      case when relispartition then (select relname from pg_class where oid = pg_partition_root(own.oid)) end as root
    from pg_class own
    where relnamespace = quote_ident(current_schema())::regnamespace
      and relkind in ('r', 'p', 'v')
      and relname not in ('installed', 'install_files')
  ),
  named as (
    select own.*
    from own
    where relkind <> 'v' and exists (
      select from install_changes()
      where (install_applies_once(path) or path ^@ 'triggers/')
        and words ~* ('\y' || regexp_replace(coalesce(root, relname), '(\W)', '\\\1', 'g') || '\y')
    )
  )
  select relname, relkind, pg_get_userbyid(relowner), relispartition
  from named
  union all
  select relname, relkind, pg_get_userbyid(relowner), relispartition
  from own
  where relkind = 'v'
    and (exists (select from named) or exists (select from install_changes() where path ^@ 'views/'));
$$;
