-- utils_ts_retain() — thins out any table with an id: per unit of time the newest row stays
--
-- With the rights of the caller: it deletes from whatever table it is given.

create or replace function utils_ts_retain(
  tablename varchar, fieldname varchar, retainstr varchar, intervalstart timestamptz, intervalend timestamptz,
  out removed_rows bigint
)
  language plpgsql
as $$
begin
  execute format(
    'delete from %1$s
     where %2$I between $2 and $3
       and id not in (
         select distinct on (date_trunc($1, %2$I)) id from %1$s
         where %2$I between $2 and $3
         order by date_trunc($1, %2$I), %2$I desc)',
    tablename::regclass, fieldname)
  using retainstr, intervalstart, intervalend;
  get diagnostics removed_rows = row_count;
end;
$$;
