-- claim_queues(): queued → running
--
-- claim() for a worker that serves many queues: hands out up to p_limit due tasks of the
-- named queues with one call, those of the first queue before those of the second and so on.
-- Answers one row per pack, with its size (core/packs.sql); p_limit counts tasks.
-- Each queue is claimed by claim_tasks(), as by claim(): its rules hold, and it gets a claim,
-- and so a lease and a token, of its own. Queues without a due task take a few index probes
-- each; see due_queues().
--
-- Fewer than p_limit tasks mean that nothing else could start at this moment. What was passed
-- over because another transaction held the row of its group rings the workers that sleep,
-- so that they look again; if that left nothing at all to start, the claim waits for those
-- rows, as claim() does.
--
-- p_spare: it may hand out so many tasks more, rather than cut the last pack. To cut one takes as
-- long as to claim several.
--
-- p_from_counts has the number of hints for each queue, p_from_priorities and p_from_times
-- the hints themselves, those of the first queue first; see pick_tasks().
--
-- p_line is for workers: up to so many more tasks of groups that are full now. They come with
-- `follows`, and must not start before a task of the same claim and group has ended; see
-- core/claim_lines.sql.

create or replace function claim_queues(
  p_queues          text[],
  p_limit           integer       default 1,
  p_worker          text          default null,
  p_lease           interval      default '15 seconds',
  p_kinds           text[]        default null,
  p_handlers        text[]        default null,
  p_versions_from   integer[]     default null,
  p_versions_to     integer[]     default null,
  p_from_counts     integer[]     default null,
  p_from_priorities integer[]     default null,
  p_from_times      timestamptz[] default null,
  p_spare           integer       default 0,
  p_line            integer       default 0
)
  returns table (
    id               bigint,
    claim            bigint,
    attempt          integer,
    max_attempts     integer,
    iteration        bigint,
    priority         integer,
    version          integer,
    kind             text,
    queue            text,
    handler          text,
    key              text,
    groups           text[],
    tags             text[],
    parent           bigint,
    created_at       timestamptz,
    run_at           timestamptz,
    deadline         timestamptz,
    timeout          interval,
    lease_expires_at timestamptz,
    meta             jsonb,
    payload          jsonb,
    size             integer,
    follows          boolean
  )
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now    timestamptz := clock_timestamp();
  v_queues refcursor;
  v_due    record;
  v_left   integer := p_limit;
  v_line   integer := coalesce(p_line, 0);
  v_rows   integer;
  v_found  record;
  v_gates  integer := 0;
  v_own    integer;
  v_names  text[];
  v_from   integer[];
  v_to     integer[];
  v_held   text[] := '{}';
  v_counts integer[] := '{}';
  v_lanes  integer[] := '{}';
  v_times  timestamptz[] := '{}';
begin
  perform check_claim(p_queues[1], p_limit, p_lease, p_handlers, p_versions_from, p_versions_to);
  perform check_claim_queues(p_queues, p_from_counts, p_from_priorities, p_from_times, p_spare);
  if length(p_worker) not between 1 and bound('name') then
    perform check_worker(p_worker);
  end if;
  -- In the order of names, before it waits for anything: see lock_current_rules().
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    perform lock_current_rules(named.queue)
    from (select distinct unnest(p_queues) as queue order by 1) as named;
  end if;

  if cardinality(p_queues) = 1 then
    -- Its claim finds out for itself, and checks the grants.
    open v_queues for select p_queues[1] as queue, 1 as first_hint, p_from_counts[1] as last_hint;
  else
    if has_grants() then
      perform require_queues('consume', p_queues);
    end if;
    open v_queues for
      select * from due_queues(p_queues, p_from_counts, p_from_priorities, p_from_times, v_now);
  end if;
  loop
    exit when v_left <= 0;
    fetch v_queues into v_due;
    exit when not found;
    -- A gate is entered once: its lock is kept until the transaction ends.
    if v_gates & (1 << gate_number(v_due.queue)) = 0 then
      continue when not enter_gate(v_due.queue);
      v_gates := v_gates | (1 << gate_number(v_due.queue));
    end if;
    -- A worker of a thousand queues has as many handlers, and each task is compared with them in turn: the
    -- handler of the queue's own name goes first.
    v_own := coalesce(array_position(p_handlers, v_due.queue), 0);
    v_names := case when v_own > 1 then p_handlers[v_own] || p_handlers else p_handlers end;
    v_from := case when v_own > 1 then p_versions_from[v_own] || p_versions_from else p_versions_from end;
    v_to := case when v_own > 1 then p_versions_to[v_own] || p_versions_to else p_versions_to end;
    loop
      return query
        select * from claim_tasks(
          v_due.queue, v_left, p_worker, p_lease, p_kinds, v_names, v_from, v_to,
          p_from_priorities[v_due.first_hint : v_due.last_hint], p_from_times[v_due.first_hint : v_due.last_hint],
          false, p_spare => p_spare, p_line => v_line);
      get diagnostics v_rows = row_count;
      v_found := count_claimed(v_rows);
      v_left := v_left - v_found.tasks + v_found.following;
      v_line := v_line - v_found.following;
      exit when v_found.tasks = 0 or v_left <= 0;
      -- A claim of a fair queue gives each group its share, and may leave tasks for which there is room.
      exit when not exists (select from tasks where tasks.queue = v_due.queue and turn is not null);
    end loop;
    if coalesce(current_setting('tusk.met_held_group', true), '') <> '' then
      perform set_config('tusk.met_held_group', '', true);
      v_held := v_held || v_due.queue;
      v_counts := v_counts || (v_due.last_hint - v_due.first_hint + 1);
      v_lanes := v_lanes || p_from_priorities[v_due.first_hint : v_due.last_hint];
      v_times := v_times || p_from_times[v_due.first_hint : v_due.last_hint];
    end if;
  end loop;
  close v_queues;

  if v_left <= 0 then
    return;
  end if;
  -- Asked by claim_tasks() as well, where it was called.
  if cardinality(p_queues) > 1 then
    if exists (select from groups where is_owed) then
      perform unpark_owed_groups();
    end if;
  end if;
  if v_held = '{}' then
    return;
  end if;
  if v_left < p_limit then
    perform wake_workers(v_held);
  else
    return query
      select * from claim_held(
        v_held, p_limit, p_worker, p_lease, p_kinds, p_handlers, p_versions_from, p_versions_to, v_counts, v_lanes,
        v_times);
  end if;
end;
$$;

-- check_claim_queues() — refuses queues and hints that do not fit together; check_claim() refuses the rest

create or replace function check_claim_queues(
  p_queues text[], p_from_counts integer[], p_from_priorities integer[], p_from_times timestamptz[], p_spare integer
)
  returns void
  language plpgsql
as $$
declare
  v_fits boolean := true;
begin
  if not (is_list(p_queues, bound('queues')) and is_list(p_from_counts) and is_list(p_from_priorities)
          and is_list(p_from_times)) then
    perform refuse('TK004', 'the queues and the hints must be one-dimensional arrays',
                   format('Give arrays of one dimension that begin at 1, and at most %s queues.', bound('queues')));
  end if;
  if array_position(p_queues, null) is not null or array_position(p_queues, '') is not null
     or array_position(p_queues, '*') is not null then
    perform refuse('TK004', 'claim_queues needs the names of queues',
                   'No name may be null, empty or *: the queue * only has the defaults.');
  end if;
  if p_spare is null or p_spare < 0 then
    perform refuse('TK004', format('cannot claim %s tasks more than the limit', coalesce(p_spare::text, 'null')),
                   'Give p_spare as 0 or more, or leave it out.');
  end if;
  if num_nulls(p_from_counts, p_from_priorities, p_from_times) = 3 then
    return;
  end if;
  if cardinality(p_from_counts) is distinct from cardinality(p_queues)
     or array_position(p_from_counts, null) is not null
     or 0 > any (p_from_counts)
     or cardinality(p_from_priorities) is distinct from cardinality(p_from_times)
     or (cardinality(p_queues) = 1 and p_from_counts[1] <> cardinality(p_from_times)) then
    v_fits := false;
  elsif cardinality(p_queues) > 1 then
    v_fits := cardinality(p_from_times) = (select sum(n::bigint) from unnest(p_from_counts) as n);
  end if;
  if not v_fits then
    perform refuse('TK004', 'the hints do not match the queues',
                   'Give the number of hints of each queue in p_from_counts, and as many elements in p_from_priorities '
                   'and p_from_times.');
  end if;
end;
$$;
