-- refuse_queue() — says no to a role that lacks a right on a queue or group
--
-- p_place is that of the task in a bulk, counted from 1, for programs that would send the
-- others without it; null elsewhere.

create or replace function refuse_queue(p_right text, p_kind text, p_name text, p_by text, p_place bigint default null)
  returns void
  language plpgsql
as $$
begin
  raise exception using
    errcode = 'TK013',
    message = format('role %s may not %s %s %s', p_by, p_right, p_kind, p_name),
    hint    = format('Nothing was changed. An admin can allow it with grant_queue(%L, %L, %L).', p_name, p_by, '{' || p_right || '}'),
    detail  = coalesce(jsonb_build_object('task', p_place)::text, '');
end;
$$;
