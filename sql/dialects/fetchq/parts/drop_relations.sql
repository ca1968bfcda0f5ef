-- drop_relations() — takes down what clients read of a queue

create or replace function drop_relations(p_queue varchar)
  returns void
  language plpgsql
as $$
declare
  v_suffix text;
begin
  foreach v_suffix in array array['__docs', '__logs', '__metrics'] loop
    execute format('drop view if exists %I.%I', data_schema(), p_queue || v_suffix);
  end loop;
end;
$$;
