-- require_groups() — refuses a caller that lacks a right on one of these groups
--
-- Groups are shared by all queues, so only a grant on the beginning of names is about them:
-- acme:* closes the groups acme:… as it closes the queues acme:…. To put tasks into
-- groups outside of such a beginning is open to all; to change those groups needs a
-- right on * once that was granted to anyone.

create or replace function require_groups(p_right text, p_groups text[])
  returns void
  language plpgsql
as $$
declare
  v_by    text := submitter();
  v_group text;
begin
  select given.name into v_group
  from (select distinct unnest(p_groups) as name) as given
  where exists (
      select from queue_grants
      where right(queue, 1) = '*' and is_covered(given.name, queue) and (p_right = 'operate' or queue <> '*'))
    and not may_use(p_right, given.name, v_by)
  order by given.name
  limit 1;
  if v_group is not null then
    perform refuse_queue(p_right, 'group', v_group, v_by);
  end if;
end;
$$;
