-- background_topics_fault() — what is wrong with the topics of a task; null when nothing is

create or replace function background_topics_fault(p_topics text[])
  returns text
  language sql
  immutable
as $$
  select case
    when array_position(p_topics, null) is not null or '' = any (p_topics) then 'a topic has no name'
    when array_to_string(p_topics, chr(10)) ~ E'(^|\n)[{].*[}](\n|$)'
      then format('topic %L looks like an array', p_topics[1])
    when cardinality(p_topics) > 9 then 'a task has at most 9 topics'
    when (select count(distinct topic) from unnest(p_topics) as topic) < cardinality(p_topics) then 'a topic is named twice'
    when length(array_to_string(p_topics, '')) > 1800 then 'the names of its topics are too long'
  end;
$$;
