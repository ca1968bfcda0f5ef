-- check_worker() — refuses what cannot be the id of a worker
--
-- Ids stand in indexes, and in the notice that tells the next leader of a chore.

create or replace function check_worker(p_worker text)
  returns void
  language plpgsql
as $$
begin
  if coalesce(length(p_worker), 0) not between 1 and bound('name') then
    perform refuse(
      'TK004',
      case when coalesce(p_worker, '') = '' then 'a worker needs an id'
           else format('the id of a worker has %s characters, at most %s can be stored', length(p_worker), bound('name')) end,
      'Give one that is random per process start, such as gen_random_uuid().');
  end if;
end;
$$;
