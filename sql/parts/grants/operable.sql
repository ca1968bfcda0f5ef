-- operable() — which of these queues the caller may operate

create or replace function operable(p_queues text[])
  returns text[]
  language plpgsql
  stable
as $$
declare
  v_by text := submitter();
begin
  return array(
    select given.queue from (select distinct unnest(p_queues) as queue) as given where may_use('operate', given.queue, v_by));
end;
$$;
