-- change_of() — what it means to set a task's state; null when it means nothing

create or replace function change_of(p_from text, p_to text)
  returns text
  language sql
  immutable
as $$
  select case
    when p_from = p_to then 'amend'
    when p_from in ('PLAN', 'TAKE', 'WORK') and p_to = 'STOP' then 'stop'
    when p_from in ('STOP', 'DONE', 'FAIL', 'GONE') and p_to = 'PLAN' then 'plan'
  end;
$$;
