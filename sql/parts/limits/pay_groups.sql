-- pay_groups() — lets a parked task back in of each group that is owed one; see hand_over()
--
-- Waits for nobody: the caller may hold tasks and groups.

create or replace function pay_groups()
  returns void
  language plpgsql
as $$
declare
  v_name text;
begin
  for v_name in
    select name from groups where is_owed for no key update skip locked
  loop
    if free_heads(v_name) > 0 or not exists (select from tasks where parked_on = v_name) then
      update groups set is_owed = false where name = v_name;
    end if;
  end loop;
end;
$$;
