-- sees_all() — whether the caller sees the tasks of every queue: there are no grants, or it may operate all

create or replace function sees_all()
  returns boolean
  language plpgsql
  stable
as $$
begin
  -- The caller is asked for only where there are grants.
  if not has_grants() then
    return true;
  end if;
  return may_use('operate', '*', submitter());
end;
$$;
