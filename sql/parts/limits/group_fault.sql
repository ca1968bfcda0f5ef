-- group_fault() — what is wrong with the groups a task names; null when nothing is
--
-- A schedule that queues its tasks up has a group of its own, for its tasks alone.

create or replace function group_fault(p_groups text[])
  returns text
  language sql
  stable
as $$
  select case
    when array_ndims(p_groups) > 1 then 'its groups are lists of their own, not names'
    when cardinality(p_groups) > 10 then 'it names more than 10 groups'
    when array_position(p_groups, null) is not null or '' = any (p_groups) then 'one of its groups has no name'
    when array_to_string(p_groups, chr(10)) ~ E'(^|\n)@' then 'names of groups may not begin with @'
    when array_to_string(p_groups, chr(10)) ~ E'(^|\n)schedule:' and coalesce(current_setting('tusk.acting_for', true), '') = ''
      then 'groups that begin with schedule: belong to schedules'
    when cardinality(p_groups) > 1 and (select count(distinct name) from unnest(p_groups) as given (name)) < cardinality(p_groups)
      then 'it names a group twice'
    when length(array_to_string(p_groups, '')) > 2000 then 'the names of its groups are too long'
  end;
$$;
