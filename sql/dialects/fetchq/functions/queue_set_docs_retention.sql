-- queue_set_docs_retention() — how long completed and killed documents are kept; null for ever
--
-- Not in the original, which keeps them for ever. The job drp purges them, and
-- queue_drop_docs() at once.

create or replace function queue_set_docs_retention(par_queue varchar, par_retention varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if par_retention is not null and coalesce(read_interval(par_retention) < interval '0', true) then
    perform refuse('TK004', format('%L is no time to keep documents for', par_retention), 'Write ''30 days'', or null for ever.');
  end if;
  update queues
  set config = case when par_retention is null then config - 'docs_retention'
                    else config || jsonb_build_object('docs_retention', par_retention) end
  where name = lower(par_queue);
  get diagnostics affected_rows = row_count;
end;
$$;
