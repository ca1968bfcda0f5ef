-- delay(): running → waiting, for a time; inside of a durable procedure
--
--   call delay('cool down', '2 hours');
--   call delay('until new year', p_until => '2027-01-01');
--
-- Ends the run: the error TK101 says to the worker that the task waits. When the time has come the procedure runs
-- again from the top, and passes.

create or replace procedure delay(
  p_name text, p_for interval default null, p_until timestamptz default null, p_is_new boolean default false
)
  language plpgsql
as $$
declare
  v_engine text := pg_catalog.current_setting('tusk.run', true);
  v_over   boolean;
begin
  if coalesce(v_engine, '') = '' then
    raise exception using
      errcode = 'TK003', message = 'delay() was called outside of a durable procedure',
      hint = 'Start the procedure with run(): a worker then calls it.';
  end if;
  v_engine := v_engine::pg_catalog.jsonb ->> 'schema';
  execute pg_catalog.format('select %I.begin_call($1)', v_engine) using p_name;
  commit;
  execute pg_catalog.format('select is_over from %I.begin_wait($1, $2)', v_engine) into v_over
  using pg_catalog.jsonb_build_object('kind', 'delay', 'name', p_name, 'for', p_for, 'until', p_until), p_is_new;
  commit;
  if not v_over then
    raise exception using errcode = 'TK101', message = pg_catalog.format('the task waits in %L', p_name);
  end if;
  execute pg_catalog.format('select %I.end_call()', v_engine);
end;
$$;
