-- may_change() — whether a role may change tasks that another role submitted
--
-- A member of that role acts for it; an operator may amend() any task. A role that was
-- dropped since has no members.

create or replace function may_change(p_submitted_by text, p_by text)
  returns boolean
  language sql
  stable
as $$
  select is_member_of(p_by, array[p_submitted_by])
    or has_function_privilege(p_by, 'amend(bigint, jsonb)', 'execute');
$$;
