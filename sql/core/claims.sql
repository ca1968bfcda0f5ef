-- Leases: what becomes of a claim when its tasks leave it.

-- leave_claims() — closes the books on tasks that stopped running or left
--
-- One element per task: the claim it held (null: none), its queue, and its groups
-- as an array literal (null: none, or it was parked and held no place in line).
--
-- Rows are locked in one order by all verbs, so that no two wait for each other:
-- tasks by id, then claims by id, then groups (lock_groups()). Claims are not waited for
-- for long (decrement_claims()).

create or replace function leave_claims(p_claims bigint[], p_queues text[], p_groups text[], p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  perform close_claims(p_claims), free_slots(p_claims, p_queues, p_groups, p_now);
end;
$$;

-- close_claims() — one element per row that ended: its claim counts down its tasks, and goes with the last
--
-- Nearly always all tasks are of one claim, and no other transaction holds it: then one
-- statement does. With decrement_claims() complete() of one of ten took 174 instead of 117 µs.
-- p_open is how many tasks that claim had before, if the caller has seen it.

create or replace function close_claims(p_claims bigint[], p_sizes integer[] default null, p_open integer default null)
  returns void
  language plpgsql
as $$
declare
  v_ended integer := cardinality(p_claims);
begin
  if p_claims[1] = all (p_claims) then
    if p_sizes is not null then
      select sum(size) into v_ended from unnest(p_sizes) as size;
    end if;
    if p_open is null or p_open <= v_ended then
      delete from claims
      where id = (select id from claims where id = p_claims[1] and open <= v_ended for update skip locked);
      if found then
        return;
      end if;
    end if;
    update claims set open = open - v_ended
    where id = (select id from claims where id = p_claims[1] and open > v_ended for no key update skip locked);
    if found then
      return;
    end if;
  elsif p_claims[1] is null and array_remove(p_claims, null) = '{}' then
    return; -- None of them ran.
  end if;
  perform decrement_claims(p_claims, p_sizes);
end;
$$;

-- free_slots() — gives back the slots of groups, and of queues with limits of their own, and hands them on
--
-- One element per row that ended; p_sizes has its tasks, null when each has one.

create or replace function free_slots(
  p_claims bigint[], p_queues text[], p_groups text[], p_now timestamptz, p_sizes integer[] default null
)
  returns void
  language plpgsql
as $$
declare
  v_counted text[];
  v_names   text[];
  v_ran     integer[];
  v_passed  text[] := '{}';
begin
  -- Asked only now, with the tasks in hand: start_counting() leaves out what it finds
  -- locked, and must not be overtaken.
  select array_agg(name) into v_counted from queues where is_counted and name = any (p_queues);
  if v_counted is null and array_remove(p_groups, null) = '{}' then
    return;
  end if;

  select array_agg(name), array_agg(ran) into v_names, v_ran
  from (
    select (claim is not null)::integer as ran, unnest(
             names::text[] || case when claim is not null and queue = any (v_counted) then '@' || queue end) as name
    from unnest(p_claims, p_queues, p_groups, p_sizes) as ended (claim, queue, names, size)
    cross join lateral generate_series(1, coalesce(ended.size, 1))
  ) as given
  where name is not null;

  -- Before a group's row is held: a follower may have to be waited for.
  if array_remove(p_groups, null) <> '{}' then
    if exists (select from claims where id = any (p_claims) and line is not null) then
      v_passed := pass_slots(p_claims, p_groups);
    end if;
  end if;
  if v_passed <> '{}' then
    select array_agg(name), array_agg(ran) into v_names, v_ran
    from (
      select name, ran, row_number() over (partition by name order by ran desc) as place
      from unnest(v_names, v_ran) as given (name, ran)
    ) as given
    where place > (select count(*) from unnest(v_passed) as passed (name) where passed.name = given.name);
  end if;
  if v_names is not null then
    perform free_groups(v_names, v_ran, p_now);
  end if;
  if v_counted is not null then
    perform wake_workers(v_counted);
  end if;
end;
$$;

-- decrement_claims() — one element per row that ended: its claim has so many tasks less, and goes with the last
--
-- Others may be counting down the same claims: they are waited for, but not for long. A
-- transaction that stays open holds the row of every claim of which it ended a task, and
-- must not hold up callers that end the others: what they would have counted is noted beside the
-- row, and counted by fold_lease_notes().

create or replace function decrement_claims(p_claims bigint[], p_sizes integer[] default null)
  returns void
  language plpgsql
as $$
declare
  v_done     bigint[];
  v_told     bigint;
  v_patience text := '250ms';
  v_before   text;
  v_claim    bigint;
  v_ended    integer;
begin
  with told as materialized (
    select claim, sum(coalesce(size, 1))::integer as n
    from unnest(p_claims, p_sizes) as ended (claim, size)
    where claim is not null
    group by claim
  ), free as materialized (
    select claims.id, claims.open - told.n as open
    from told
    join claims on claims.id = any (array[told.claim])
    order by claims.id
    for update of claims skip locked
  ), kept as (
    update claims set open = free.open from free where claims.id = any (array[free.id]) and free.open > 0
  ), gone as (
    delete from claims using free where claims.id = any (array[free.id]) and free.open <= 0
  )
  select array_agg(id), (select count(*) from told) into v_done, v_told from free;
  if v_told = coalesce(cardinality(v_done), 0) then
    return;
  end if;

  for v_claim, v_ended in
    select ended.claim, sum(coalesce(ended.size, 1))::integer
    from unnest(p_claims, p_sizes) as ended (claim, size)
    where ended.claim <> all (coalesce(v_done, '{}')) and exists (select from claims where claims.id = ended.claim)
    group by ended.claim
    order by ended.claim
  loop
    v_before := coalesce(v_before, current_setting('lock_timeout'));
    begin
      perform set_config('lock_timeout', v_patience, true);
      -- Waits for those who count down the same claim; only then is it certain that it is over.
      update claims set open = open - v_ended where id = v_claim and open > v_ended;
      if not found then
        delete from claims where id = v_claim;
      end if;
    exception when lock_not_available then
      v_patience := '1ms';
      insert into lease_notes (claim, ended) values (v_claim, v_ended);
    end;
  end loop;
  if v_before is not null then
    perform set_config('lock_timeout', v_before, true);
  end if;
end;
$$;

-- fold_lease_notes() — moves what was noted beside claims (lease_notes) into their rows, where they are free
--
-- Never waits for a row: the notes of a claim whose row another transaction holds stay.

create or replace function fold_lease_notes()
  returns void
  language plpgsql
as $$
declare
  v_claims bigint[];
begin
  if not exists (select from lease_notes) then
    return;
  end if;
  v_claims := array(
    select id from claims
    where id = any (array(select distinct claim from lease_notes))
    order by id
    for update skip locked
  );
  -- By a statement of its own: it sees what was noted until the rows were held.
  with folded as (
    delete from lease_notes
    where claim = any (v_claims) or not exists (select from claims where claims.id = lease_notes.claim)
    returning claim, ended, expires_at
  ), told as materialized (
    select claim, sum(ended)::integer as ended, max(expires_at) as expires_at from folded group by claim
  ), gone as (
    delete from claims using told where claims.id = any (array[told.claim]) and claims.open <= told.ended
  )
  update claims
  set open       = open - told.ended,
      expires_at = greatest(claims.expires_at, told.expires_at)
  from told
  where claims.id = any (array[told.claim]) and claims.open > told.ended;
end;
$$;

-- check_outcomes() — refuses a report that leaves a task without its claim
--
-- A null claim stands for a queued task in end_tasks(); from outside it would end a
-- task that no worker holds.

create or replace function check_outcomes(p_ids bigint[], p_claims bigint[])
  returns void
  language plpgsql
as $$
begin
  if not (is_list(p_ids) and is_list(p_claims)) or cardinality(p_ids) is distinct from cardinality(p_claims)
     or array_position(p_ids, null) is not null or array_position(p_claims, null) is not null then
    perform refuse('TK004', 'each task needs the claim that holds it',
                   'Give p_ids and p_claims as claim() returned them, one claim per id.');
  end if;
end;
$$;

-- require_held() — refuses a word about a task whose lease the speaker has lost

create or replace function require_held(p_id bigint, p_claim bigint, p_held boolean)
  returns void
  language plpgsql
as $$
begin
  if p_held then
    return;
  end if;
  if find_row(p_id) is null then
    perform refuse_unknown(p_id);
  end if;
  perform refuse(
    'TK001',
    format('claim %s no longer holds task %s', coalesce(p_claim::text, 'null'), p_id),
    'Stop working on it and drop the result: its lease ran out and it was given to another worker, or it was '
    'cancelled.');
end;
$$;
