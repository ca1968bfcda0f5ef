-- tags_fault() — what is wrong with the tags of a task; null when nothing is

create or replace function tags_fault(p_tags text[])
  returns text
  language sql
  stable
as $$
  select case
    when not is_list(p_tags) then 'its tags are lists of their own, not names'
    when cardinality(p_tags) > bound('tags')
      then format('it has %s tags, at most %s can be stored', cardinality(p_tags), bound('tags'))
    when array_position(p_tags, null) is not null then 'one of its tags is null'
    when length(array_to_string(p_tags, '')) > bound('tag')
      and exists (select from unnest(p_tags) as given (tag) where length(tag) > bound('tag'))
      then format('one of its tags has more than %s characters', bound('tag'))
  end;
$$;
