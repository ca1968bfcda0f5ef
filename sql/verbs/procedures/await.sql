-- await(): running → waiting, for a signal; inside of a durable procedure
--
--   call await('paid', v_payment, p_timeout => '1 day');
--
-- p_payload is what was sent, and null when the time-out came first. To receive the same signal more than once, name
-- the steps: p_as => 'second payment'. Ends the run as delay() does.

create or replace procedure await(
  p_name text, inout p_payload jsonb, p_timeout interval default null, p_as text default null,
  p_is_new boolean default false
)
  language plpgsql
as $$
declare
  v_engine text := pg_catalog.current_setting('tusk.run', true);
  v_over   boolean;
begin
  if coalesce(v_engine, '') = '' then
    raise exception using
      errcode = 'TK003', message = 'await() was called outside of a durable procedure',
      hint = 'Start the procedure with run(): a worker then calls it.';
  end if;
  v_engine := v_engine::pg_catalog.jsonb ->> 'schema';
  p_as := coalesce(p_as, p_name);
  execute pg_catalog.format('select %I.begin_call($1)', v_engine) using p_as;
  commit;
  execute pg_catalog.format('select * from %I.begin_wait($1, $2)', v_engine) into v_over, p_payload
  using pg_catalog.jsonb_build_object('kind', 'signal', 'name', p_as, 'signal', p_name, 'for', p_timeout), p_is_new;
  commit;
  if not v_over then
    raise exception using errcode = 'TK101', message = pg_catalog.format('the task waits in %L', p_as);
  end if;
  execute pg_catalog.format('select %I.end_call()', v_engine);
end;
$$;
