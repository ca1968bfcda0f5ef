-- add_counts() — two rows of buckets as one

create or replace function add_counts(p_counts bigint[], p_more bigint[])
  returns bigint[]
  language plpgsql
  immutable
as $$
begin
  for i in 1 .. cardinality(p_more) loop
    p_counts[i] := p_counts[i] + p_more[i];
  end loop;
  return p_counts;
end;
$$;
