-- Which of many queues a claim has to look at.

-- due_queues() — those of these queues that may have a task to start, in the order given
--
-- One statement for all of them, so that a worker can name 1,000 queues of which few have
-- tasks. It decides nothing: claim_tasks() does. What may be claimed is always named here;
-- a queue named in vain costs a claim that finds nothing.
--
-- p_from_counts says how many hints of p_from_priorities and p_from_times belong to each
-- queue, in order; first_hint and last_hint are where those of the queue are. A queue
-- without hints and without tasks, as most are, takes two probes.
--
-- The subqueries have a limit: Postgres then runs them one by one, and neither joins nor
-- hashes them. `stable`, so that it is inlined and read row by row: a caller with enough
-- tasks looks at no further queues.

create or replace function due_queues(
  p_queues          text[],
  p_from_counts     integer[],
  p_from_priorities integer[],
  p_from_times      timestamptz[],
  p_now             timestamptz
)
  returns table (queue text, first_hint integer, last_hint integer)
  language sql
  stable
as $$
  select asked.queue, (asked.last_hint - asked.hints + 1)::integer, asked.last_hint::integer
  from (
    select given.queue,
           coalesce(p_from_counts[given.place], 0) as hints,
           sum(coalesce(p_from_counts[given.place], 0)) over (rows unbounded preceding) as last_hint
    from unnest(p_queues) with ordinality as given (queue, place)
  ) as asked
  where (select true from tasks where tasks.queue = asked.queue and turn is not null limit 1)
     or case when asked.hints = 0 and (
          select true from tasks where tasks.queue = asked.queue and parked_on is null and turn is null limit 1
        ) is null then null else (
          select true
          from lanes
          cross join lateral (
            select
            from tasks
            where tasks.queue = asked.queue
              and parked_on is null
              and turn is null
              and tasks.priority = lanes.priority
              and (run_at, id) > (coalesce(
                p_from_times[(asked.last_hint - asked.hints)::integer + array_position(
                  p_from_priorities[(asked.last_hint - asked.hints + 1)::integer : asked.last_hint::integer],
                  lanes.priority)],
                '-infinity'), -1)
              and run_at <= p_now
              and claim is null
            limit 1
          ) as ready
          where lanes.queue = asked.queue
          limit 1
        ) end;
$$;
