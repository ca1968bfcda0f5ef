-- destroy_with_terrible_consequences() — all queues, their documents, and this schema → gone

create or replace function destroy_with_terrible_consequences(out was_destroyed boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform queue_drop(name) from queues order by name;
  execute format('drop schema %I, %I cascade', data_schema(), current_schema());
end;
$$;
