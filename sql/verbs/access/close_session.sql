-- close_session() — ends a session; answers whether it was open

create or replace function close_session(p_hash bytea)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  delete from sessions where hash = p_hash;
  return found;
end;
$$;
