-- hold_free_keys() — holds the keys of tasks, without waiting; of p_wanted answers with those whose key it could hold
--
-- A task without a key, or that has given it back, needs none.

create or replace function hold_free_keys(p_queue text, p_ids bigint[], p_keys text[], p_wanted bigint[])
  returns bigint[]
  language plpgsql
as $$
declare
  v_held bigint[] := array(
    select task from keys where queue = p_queue and key = any (p_keys) order by key for update skip locked);
begin
  return array(
    select given.id
    from unnest(p_ids, p_keys) as given (id, key)
    where given.id = any (p_wanted)
      and (given.key is null or given.id = any (v_held)
           or not exists (select from keys where queue = p_queue and key = given.key and task = given.id)));
end;
$$;
