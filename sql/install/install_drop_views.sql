-- install_drop_views() — takes all views down; install_file() puts them up again
--
-- All, because views may rest on one another and `create or replace` cannot change
-- a column.

create or replace function install_drop_views()
  returns void
  language plpgsql
  set search_path from current
as $$
begin
  perform install_drop(array(
    select object
    from installed, unnest(creates) as object
    where path ^@ 'views/' and object ^@ 'view '
  ));

  update installed
  set hash = 'dropped'
  where path ^@ 'views/';
end;
$$;
