-- refuse_task() — says no to a bulk because of one task in it
--
-- DETAIL gives its place, counted from 1, for programs that would send the others
-- without it: {"task": 3}.

create or replace function refuse_task(p_code text, p_place bigint, p_message text, p_hint text)
  returns void
  language plpgsql
as $$
begin
  raise exception using
    errcode = p_code, message = p_message, hint = p_hint, detail = jsonb_build_object('task', p_place)::text;
end;
$$;
