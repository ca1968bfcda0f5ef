-- The schema itself: its version, set-up and end.

-- info() — the version of Fetchq that is spoken here; clients compare it for equality

create or replace function info(out version varchar)
  language sql
  immutable
as $$
  select '4.0.2'::varchar;
$$;

-- init() — false: everything was initialized when the dialect was installed

create or replace function init(out was_initialized boolean)
  language sql
  immutable
as $$
  select false;
$$;

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

-- upgrade__310__320() — nothing to do: the tables of this dialect never were as old

create or replace function upgrade__310__320(out success boolean)
  language sql
  immutable
as $$
  select true;
$$;

-- upgrade__320__330() — nothing to do: the tables of this dialect never were as old

create or replace function upgrade__320__330(out success boolean)
  language sql
  immutable
as $$
  select true;
$$;
