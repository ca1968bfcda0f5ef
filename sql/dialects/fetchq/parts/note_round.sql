-- note_round() — remembers of a document what the engine counts otherwise

create or replace function note_round(p_task bigint, p_rejects integer, p_last timestamptz, p_next timestamptz)
  returns void
  language sql
as $$
  insert into rounds (task, rejects, last_iteration, next_iteration)
  values (p_task, p_rejects, p_last, p_next)
  on conflict (task) do update
    set rejects        = rounds.rejects + excluded.rejects,
        last_iteration = coalesce(excluded.last_iteration, rounds.last_iteration),
        next_iteration = excluded.next_iteration;
$$;
