-- literal_fault() — which of these texts is no array literal
--
-- For enqueue_many(), which takes groups and tags as literals such as '{a,b}'.

create or replace function literal_fault(p_name text, p_literals text[], out place bigint, out fault text)
  language plpgsql
  stable
as $$
begin
  for i in 1 .. cardinality(p_literals) loop
    begin
      perform p_literals[i]::text[];
    exception when data_exception then
      place := i;
      fault := format('its %s are %L; write a list such as {a,b}', p_name, left(p_literals[i], 100));
      return;
    end;
  end loop;
end;
$$;
