-- steady_plans() — makes every verb plan its statements once, and by index
--
-- The tables of a queue are empty one minute and hold millions the next, so
-- statistics mislead: a plan made on the empty table would read it from end to
-- end. Nothing is compiled: a call takes less than a compilation. Set on the verbs;
-- the parts they call run under the same settings.

create or replace function steady_plans()
  returns void
  language plpgsql
as $$
declare
  v_verb    regprocedure;
  v_setting text;
begin
  for v_verb in
    select oid from pg_proc where pronamespace = quote_ident(current_schema())::regnamespace and prosecdef
  loop
    execute format('alter function %s set plan_cache_mode = force_generic_plan', v_verb);
    foreach v_setting in array array['enable_seqscan', 'enable_bitmapscan', 'enable_indexonlyscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'] loop
      execute format('alter function %s set %I = off', v_verb, v_setting);
    end loop;
  end loop;
end;
$$;
