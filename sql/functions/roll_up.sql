-- roll_up() — folds what happened into counters, and failures into groups
--
-- Answers with how many changes and failures it folded. Any number may fold at once: each
-- takes rows that no other holds.

create or replace function roll_up(p_limit integer default 10000)
  returns integer
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_round(p_limit);
  return fold_deltas(p_limit) + fold_failures(p_limit);
end;
$$;
