-- check_size() — refuses JSON that is larger than bound() allows for its kind

create or replace function check_size(p_kind text, p_name text, p_value jsonb)
  returns void
  language plpgsql
as $$
begin
  if pg_column_size(p_value) > bound(p_kind) then
    perform refuse('TK005', format('%s has %s bytes, at most %s can be stored', p_name, pg_column_size(p_value), bound(p_kind)),
                   'Store the data elsewhere and keep a reference to it.');
  end if;
end;
$$;
