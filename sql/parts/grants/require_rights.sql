-- require_rights() — refuses a bulk of tasks that its caller may not enqueue, by their queues and groups

create or replace function require_rights(p_queues text[], p_groups text[])
  returns void
  language plpgsql
as $$
begin
  perform require_queues('enqueue', p_queues);
  if p_groups is not null then
    perform require_groups('enqueue', array(
      select distinct named.name
      from unnest(p_groups) as given (names)
      cross join lateral unnest(given.names::text[]) as named (name)));
  end if;
end;
$$;
