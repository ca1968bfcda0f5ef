-- check_claim() — refuses a claim that cannot be meant

create or replace function check_claim(
  p_queue text, p_limit integer, p_lease interval, p_handlers text[], p_versions_from integer[], p_versions_to integer[]
)
  returns void
  language plpgsql
as $$
begin
  if coalesce(p_queue, '') in ('', '*') then
    perform refuse('TK004', 'claim needs the name of one queue', 'Call claim once per queue.');
  end if;
  if p_limit is null or p_limit < 0 then
    perform refuse('TK004', format('cannot claim %s tasks', coalesce(p_limit::text, 'null')), 'Give a limit of 0 or more.');
  end if;
  if p_lease is null or p_lease <= interval '0' then
    perform refuse('TK004', format('a lease of %s is over before it begins', coalesce(p_lease::text, 'null')),
                   'Give an interval such as ''15 seconds''.');
  end if;
  if p_lease > interval '250000 years' then
    perform refuse('TK004', format('a lease of %s leads beyond the calendar', p_lease),
                   'Give an interval such as ''15 seconds''; extend() renews it.');
  end if;
  if p_handlers is not null and (
    cardinality(p_handlers) is distinct from cardinality(p_versions_from)
    or cardinality(p_handlers) is distinct from cardinality(p_versions_to)
  ) then
    perform refuse('TK004', 'each handler needs the first and the last version that it takes',
                   'Give p_handlers, p_versions_from and p_versions_to with the same number of elements.');
  end if;
end;
$$;
