-- check_outcomes() — refuses a report that leaves a task without its claim
--
-- A null claim stands for a queued task in finish(); from outside it would end a
-- task that nobody holds.

create or replace function check_outcomes(p_ids bigint[], p_claims bigint[])
  returns void
  language plpgsql
as $$
begin
  if not (is_list(p_ids) and is_list(p_claims)) or cardinality(p_ids) is distinct from cardinality(p_claims)
     or array_position(p_ids, null) is not null or array_position(p_claims, null) is not null then
    perform refuse('TK004', 'each task needs the claim that holds it',
                   'Give p_ids and p_claims as claim() returned them, one claim per id.');
  end if;
end;
$$;
