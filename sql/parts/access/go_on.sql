-- go_on() — advances the operations whose drivers are silent, a page each; for the chore operations
--
-- Once the chore has taken one over it goes on with it page after page. Answers how many
-- tasks it dealt with, and whether there is more to do at once.

create or replace function go_on(p_limit integer, out processed bigint, out more boolean)
  language plpgsql
as $$
declare
  v_old operations;
  v_new operations;
begin
  processed := 0;
  more := false;
  for v_old in
    select * from operations
    where state = 'running' and (by_chore or advanced_at < clock_timestamp() - interval '5 seconds')
    order by advanced_at
    limit 10
  loop
    v_new := advance(v_old.id, p_limit, true);
    processed := processed + v_new.matched - v_old.matched;
    -- Not if another is at it: then there is nothing to do for this one.
    more := more or (v_new.state = 'running' and v_new.advanced_at > v_old.advanced_at);
  end loop;
end;
$$;
