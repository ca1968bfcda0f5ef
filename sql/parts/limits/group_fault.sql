-- group_fault() — what is wrong with the groups a task names; null when nothing is
--
-- A schedule that queues its tasks up has a group of its own, for its tasks alone. Any login
-- can write to the setting tusk.acting_for, so acting_for() is asked, which knows the secret.

create or replace function group_fault(p_groups text[])
  returns text
  language sql
  stable
as $$
  select case
    when not is_list(p_groups) then 'its groups are lists of their own, not names'
    when cardinality(p_groups) > bound('groups') then format('it names more than %s groups', bound('groups'))
    when array_position(p_groups, null) is not null or '' = any (p_groups) then 'one of its groups has no name'
    when array_to_string(p_groups, chr(10)) ~ E'(^|\n)@' then 'names of groups may not begin with @'
    when array_to_string(p_groups, chr(10)) ~ E'(^|\n)schedule:' and acting_for() is null
      then 'groups that begin with schedule: belong to schedules'
    when cardinality(p_groups) > 1 and (select count(distinct name) from unnest(p_groups) as given (name)) < cardinality(p_groups)
      then 'it names a group twice'
    when length(array_to_string(p_groups, '')) > bound('group')
      then format('the names of its groups have %s characters, at most %s can be stored', length(array_to_string(p_groups, '')), bound('group'))
    when octet_length(array_to_string(p_groups, '')) > bound('index')
      and exists (select from unnest(p_groups) as given (name) where octet_length(name) > bound('index'))
      then format('the name of one of its groups has more than %s bytes', bound('index'))
  end;
$$;
