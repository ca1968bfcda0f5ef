-- in_full() — the arguments of an operation, its times with their zone
--
-- They are read again with each page, by sessions that may live in another time zone.

create or replace function in_full(p_arguments jsonb)
  returns jsonb
  language plpgsql
as $$
declare
  v_name text;
begin
  foreach v_name in array '{run_at,deadline}'::text[] loop
    if jsonb_typeof(p_arguments -> v_name) = 'string' then
      p_arguments := p_arguments || jsonb_build_object(v_name, (p_arguments ->> v_name)::timestamptz);
    end if;
  end loop;
  if p_arguments ? 'changes' then
    p_arguments := p_arguments || jsonb_build_object('changes', in_full(p_arguments -> 'changes'));
  end if;
  return p_arguments;
exception when data_exception then
  perform refuse('TK004', format('a time cannot be read: %s', sqlerrm), 'Give one such as 2030-01-01T09:00:00Z.');
end;
$$;
