-- install_lock_one() — locks one table or view for ourselves, or fails after p_wait (null: never)

create or replace function install_lock_one(p_name name, p_kind "char", p_owner name, p_wait interval)
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_ms numeric := ceil(greatest(1, extract(epoch from p_wait) * 1000));
begin
  perform set_config('lock_timeout', case when p_wait is null then '0' else v_ms::text end, true);
  if p_kind = 'v' then
    -- Changes nothing. `lock table` on a view would lock what the view reads as well.
    execute format('alter view %I owner to %I', p_name, p_owner);
  else
    execute format('lock table only %I in access exclusive mode', p_name);
  end if;
exception
  when undefined_table then
    null; -- A partition that was dropped while we waited for its parent.
  when lock_not_available then
    raise exception using
      errcode = sqlstate,
      message = format('%I is in use', p_name),
      hint    = 'Nothing was changed. Try again, or when fewer long transactions are open.';
end;
$$;
