-- tags_fault() — what is wrong with the tags of a task; null when nothing is
--
-- In plpgsql: Postgres cannot inline the look at each tag, and a function in SQL that is not
-- inlined made a bulk with tags take 1.8 times as long.

create or replace function tags_fault(p_tags text[])
  returns text
  language plpgsql
  immutable
as $$
begin
  if p_tags is null then
    return null;
  elsif not is_list(p_tags) then
    return 'its tags are lists of their own, not names';
  elsif cardinality(p_tags) > bound('tags') then
    return format('it has %s tags, at most %s can be stored', cardinality(p_tags), bound('tags'));
  elsif array_position(p_tags, null) is not null then
    return 'one of its tags is null';
  elsif length(array_to_string(p_tags, '')) <= bound('tag') then
    return null;
  elsif exists (select from unnest(p_tags) as given (tag) where length(tag) > bound('tag')) then
    return format('one of its tags has more than %s characters', bound('tag'));
  end if;
  return null;
end;
$$;
