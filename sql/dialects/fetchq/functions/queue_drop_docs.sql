-- queue_drop_docs() — completed | killed → gone, when their retention is over
--
-- Not in the original. Without a retention nothing goes.

create or replace function queue_drop_docs(par_queue varchar, par_retention varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  c_portion constant integer := 10000;
  v_queue   queues   := require_queue(par_queue);
  v_keep    interval := read_interval(par_retention);
  v_over    record;
begin
  affected_rows := 0;
  loop
    select array_agg(id) as tasks, count(*) as n, count(*) filter (where state = 'done') as done,
           array_agg(distinct version) as versions, array_agg(version) as each_version
    into v_over
    from (
      select id, state, version from finished
      where queue = v_queue.name and kind = 'document' and finished_at < now() - v_keep
      limit c_portion
      -- Whoever brings one back, or drops it, at this moment has it.
      for update skip locked
    ) as over;
    exit when v_over.n = 0;

    perform forget_documents(v_over.tasks);
    perform tally(v_queue.name, '{cnt,cpl,kll}', array[-v_over.n, -v_over.done, v_over.done - v_over.n]);
    perform tally(v_queue.name, array['v' || gone.version], array[-gone.n])
    from (select version, count(*) as n from unnest(v_over.each_version) as version group by version) as gone;
    affected_rows := affected_rows + v_over.n;
  end loop;
end;
$$;

create or replace function queue_drop_docs(par_queue varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := queue_drop_docs(par_queue, (require_queue(par_queue)).config ->> 'docs_retention');
end;
$$;
