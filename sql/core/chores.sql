-- Chores: terms, heirs and records.

-- end_term() — makes a chore free, if this worker leads it in this term, and tells the heir

create or replace function end_term(p_worker text, p_chore text, p_term bigint, p_how text, p_heir text)
  returns boolean
  language plpgsql
as $$
declare
  v_rests boolean := p_how in ('resign', 'error') or (p_how = 'rotation' and p_heir is not null);
begin
  update chores
  set holder          = null,
      expires_at      = clock_timestamp(),
      resign_asked_at = null,
      rest_holder     = case when v_rests then p_worker end,
      -- No longer than a lease: if there is no other worker after all, it comes back.
      rest_until      = case when v_rests
                             then clock_timestamp() + least(every, ttl) + random() * interval '1 second' end
  where name = p_chore and holder = p_worker and term = p_term;
  if not found then
    return false;
  end if;
  update terms
  set ended_at = clock_timestamp(),
      how      = p_how
  where chore = p_chore and term = p_term and ended_at is null;
  perform pg_notify(current_schema() || ':chores', json_build_object('chore', p_chore, 'heir', p_heir)::text);
  return true;
end;
$$;

-- choose_successor() — one of the workers that would lead a chore, by chance but the same for the same seed

create or replace function choose_successor(p_chore text, p_worker text, p_seed text)
  returns text
  language sql
as $$
  select id
  from workers
  where p_chore = any (chores) and id <> p_worker and draining_at is null
    and beat_at > clock_timestamp() - interval '1 minute'
  order by beat_at < clock_timestamp() - interval '25 seconds', md5(id || p_seed)
  limit 1;
$$;

-- record_runs() — adds to the record of a worker how its chores went
--
-- p_runs has an object per chore: what was done since the last word (runs, processed,
-- errors, total_ms), and of the last run how long ago it ended and how it went.

create or replace function record_runs(p_worker text, p_runs jsonb)
  returns void
  language plpgsql
as $$
declare
  -- A year. A worker that tells of infinity, NaN or the future would spoil what is shown of the chore for good.
  c_most constant float8 := 31536000000;
  v_now timestamptz := clock_timestamp();
begin
  if p_runs is null then
    return;
  end if;
  if jsonb_typeof(p_runs) <> 'array' then
    perform refuse('TK004', 'runs must be a JSON array',
                   'Write [{"chore": "sweep", "runs": 1, "processed": 20, "last_ms": 3, "ago_ms": 50}].');
  end if;
  insert into chore_runs as known
    (chore, worker, last_run_at, last_ok_at, last_error_at, last_error, runs, processed, errors, last_ms,
     total_ms, max_ms)
  select distinct on (given.chore) given.chore, p_worker,
         v_now - least(greatest(coalesce(given.ago_ms, 0), 0), c_most) * interval '1 millisecond',
         case when given.ok_ago_ms is not null
              then v_now - least(greatest(given.ok_ago_ms, 0), c_most) * interval '1 millisecond' end,
         case when given.error_ago_ms is not null
              then v_now - least(greatest(given.error_ago_ms, 0), c_most) * interval '1 millisecond' end,
         truncate_error(given.error), least(greatest(coalesce(given.runs, 1), 0), c_most::bigint),
         least(greatest(coalesce(given.processed, 0), 0), c_most::bigint),
         least(greatest(coalesce(given.errors, 0), 0), c_most::bigint),
         least(greatest(coalesce(given.last_ms, 0), 0), c_most),
         least(greatest(coalesce(given.total_ms, given.last_ms, 0), 0), c_most),
         least(greatest(coalesce(given.max_ms, given.last_ms, 0), 0), c_most)
  from jsonb_to_recordset(p_runs) as given (
    chore text, ago_ms float8, ok_ago_ms float8, error_ago_ms float8, error jsonb,
    runs bigint, processed bigint, errors bigint, last_ms float8, total_ms float8, max_ms float8
  )
  -- Offset 0: what is given is read first, and refused, also where there are no chores.
  cross join lateral (select from chores where chores.name = given.chore offset 0) as known_chore
  order by given.chore
  on conflict (chore, worker) do update
    set last_run_at   = greatest(known.last_run_at, excluded.last_run_at),
        last_ok_at    = greatest(known.last_ok_at, excluded.last_ok_at),
        last_error_at = greatest(known.last_error_at, excluded.last_error_at),
        last_error    = coalesce(excluded.last_error, known.last_error),
        runs          = known.runs + excluded.runs,
        processed     = known.processed + excluded.processed,
        errors        = known.errors + excluded.errors,
        last_ms       = excluded.last_ms,
        total_ms      = known.total_ms + excluded.total_ms,
        max_ms        = greatest(known.max_ms, excluded.max_ms);
exception
  when data_exception then
    perform refuse('TK004', format('runs cannot be read: %s', sqlerrm),
                   'Write [{"chore": "sweep", "runs": 1, "processed": 20, "last_ms": 3, "ago_ms": 50}].');
end;
$$;
