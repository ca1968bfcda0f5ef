-- begin_call() — the first part of each call, before its first commit
--
-- Part of step(), delay() and await(), which find it by the schema that the setting tusk.run
-- names: what commits may neither set a search path nor be SECURITY DEFINER. The token of that setting proves for
-- which task it speaks.

create or replace function begin_call(p_name text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform read_run();
  perform require_own_transaction(format('%L', left(p_name, 200)));
  execute 'prepare tusk_call as select';
end;
$$;
