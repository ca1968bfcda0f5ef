-- Groups: their rows, their names, and how they are locked.

-- lock_groups() — holds the rows of these groups until commit
--
-- Always in one order, queues ('@…') first and then by name, and never while a row
-- of tasks or claims is still to be waited for: so no two verbs can wait for each
-- other. A caller that holds groups already must not wait for more (p_waits = false), and
-- gets those that no other session holds. Answers with the names of the rows it holds, null if
-- none; no name may be given twice. p_creates: makes rows that are missing. p_counts: begins to
-- count groups that are not counted yet, for which it waits for rows of tasks. A caller that holds
-- rows of tasks says false, or two such callers could wait for each other, and leaves these groups
-- alone. Rates are brought up to date on the way: starts that have left the window no longer count.

create or replace function lock_groups(
  p_names text[], p_now timestamptz, p_waits boolean default true, p_creates boolean default false,
  p_counts boolean default true
)
  returns text[]
  language plpgsql
as $$
declare
  v_held  text[];
  v_rated boolean;
  v_new   text[];
  v_group groups;
begin
  loop
    -- Before any row is held: creating may have to wait.
    if p_creates then
      perform create_groups(p_names, p_waits, p_now);
    end if;
    if p_waits then
      select array_agg(name), bool_or(rate is not null), array_agg(name) filter (where opened_by is not null)
      into v_held, v_rated, v_new
      from (
        select name, rate, opened_by from groups
        where name = any (p_names) and (p_counts or opened_by is null)
        order by left(name, 1) <> '@', name
        for no key update
      ) as held;
    else
      select array_agg(name), bool_or(rate is not null), array_agg(name) filter (where opened_by is not null)
      into v_held, v_rated, v_new
      from (
        select name, rate, opened_by from groups where name = any (p_names) for no key update skip locked
      ) as held;
    end if;
    -- sweep() may have taken one away meanwhile.
    exit when not (p_waits and p_creates) or cardinality(v_held) = cardinality(p_names);
  end loop;

  if v_new is not null then
    v_held := array(select unnest(v_held) except select unnest(count_new_groups(v_new, p_waits)));
  end if;
  if v_rated then
    for v_group in
      select * from groups where name = any (v_held) and rate is not null
    loop
      perform refresh_rate(v_group, p_now);
    end loop;
  end if;
  return v_held;
end;
$$;

-- create_groups() — gives groups a row, from which on their tasks are counted
--
-- Two who create the same group would meet at its primary key, in whatever order;
-- so they meet before, at one of a few latches, which are taken in order or (p_waits =
-- false) not at all. A few, because a claim may name a thousand new groups.
--
-- A claim that has started tasks uncounted itself creates none: it has not stored what it
-- started yet. The counters of queues begin elsewhere (start_counting()).

create or replace function create_groups(p_names text[], p_waits boolean, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  c_latches constant integer := 16;
  v_is_old  boolean := current_setting('transaction_isolation') in ('repeatable read', 'serializable');
  v_missing text[];
  v_latches text[];
  v_counts_later boolean;
begin
  v_missing := array(select unnest(p_names) except select name from groups where name = any (p_names));
  if v_missing = '{}' then
    return;
  end if;
  if left(v_missing[1], 1) <> '@' and (has_started_uncounted(p_now) or not stop_uncounted(p_waits)) then
    return;
  end if;
  v_latches := array(
    select distinct 'create groups ' || abs(hashtext(name) % c_latches) from unnest(v_missing) as given (name));
  if p_waits then
    perform from latches where name = any (v_latches) order by name for no key update;
  else
    v_latches := array(select name from latches where name = any (v_latches) for no key update skip locked);
    v_missing := array(
      select name from unnest(v_missing) as given (name)
      where 'create groups ' || abs(hashtext(name) % c_latches) = any (v_latches));
  end if;
  v_counts_later := v_is_old or exists (select from claims where has_uncounted);
  insert into groups (name, opened_by)
  select given.name, case when left(given.name, 1) <> '@' and v_counts_later then pg_current_xact_id() end
  from unnest(v_missing) as given (name)
  on conflict (name) do nothing;
  if v_is_old then
    -- The next transaction can count them.
    perform wake_workers(array(select distinct queue from sleepers));
  end if;
end;
$$;

-- count_new_groups() — begins the count of groups that have got a row; answers with those it must leave
--
-- The caller holds their rows. What runs of them is in claims that started tasks uncounted. A
-- task that another transaction holds may be about to end, without knowing that it is counted:
-- it is waited for (p_waits), or its groups are left to the next caller. The rows of the tasks
-- are written, not only locked; see start_counting(). An old snapshot does not show all that
-- was started before the row was made in the same transaction.

create or replace function count_new_groups(p_names text[], p_waits boolean)
  returns text[]
  language plpgsql
as $$
declare
  v_left    text[] := '{}';
  v_running bigint[];
  v_held    bigint[];
  v_names   text[];
  v_counts  integer[];
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    v_left := array(select name from groups where name = any (p_names) and opened_by = pg_current_xact_id());
  end if;
  v_running := array(
    select tasks.id
    from claims
    cross join lateral unnest(claimed_ids(claims)) as held (id)
    join tasks on tasks.id = any (array[held.id]) and tasks.claim = claims.id
    where claims.has_uncounted and tasks.groups && p_names);
  if p_waits then
    v_held := array(
      select id from tasks where id = any (v_running) and claim is not null order by id for no key update);
  else
    v_held := array(
      select id from tasks where id = any (v_running) and claim is not null for no key update skip locked);
    v_left := v_left || array(
      select unnest(tasks.groups)
      from tasks
      where id = any (array(select unnest(v_running) except select unnest(v_held))) and claim is not null);
  end if;
  update tasks set claim = claim where id = any (v_held);
  select array_agg(name), array_agg(n) into v_names, v_counts
  from (
    select named.name, count(*)::integer as n
    from tasks
    cross join lateral unnest(tasks.groups) as named (name)
    where tasks.id = any (v_held)
    group by named.name
  ) as counted;
  update groups
  set running   = coalesce(v_counts[array_position(v_names, name)], 0),
      opened_by = null
  where name = any (p_names) and name <> all (v_left);
  return v_left;
end;
$$;

-- lock_free_groups() — holds the groups that tasks name; answers with those that another transaction keeps
--
-- One element per task: its groups as an array literal, or null. Asks a few times, because
-- a group in use is held for a moment by each who starts or ends a task of it; it never
-- stands in a line behind a transaction that stays open.

create or replace function lock_free_groups(p_groups text[], p_now timestamptz)
  returns text[]
  language plpgsql
as $$
declare
  c_tries constant integer := 5;
  v_busy  text[] := array(
    select distinct given.name
    from unnest(p_groups) as task (names)
    cross join lateral unnest(task.names::text[]) as given (name));
  v_held  text[];
begin
  for i in 1 .. c_tries loop
    v_held := lock_groups(v_busy, p_now, false);
    v_busy := array(select name from groups where name = any (v_busy) except select unnest(v_held));
    exit when v_busy = '{}' or i = c_tries;
    perform pg_sleep(0.02);
  end loop;
  return v_busy;
end;
$$;

-- check_group() — refuses what cannot be the name of a group

create or replace function check_group(p_group text)
  returns void
  language plpgsql
as $$
begin
  if group_fault(array[p_group]) is not null then
    perform refuse('TK004', format('%L is not the name of a group', left(p_group, 100)),
                   format('A name has 1 to %s bytes and does not begin with @ or schedule:.', bound('index')));
  end if;
end;
$$;

-- group_fault() — what is wrong with the groups a task names; null when nothing is
--
-- A schedule that queues its tasks up has a group of its own, for its tasks alone. Any login
-- can write to the setting tusk.acting_for, so acting_for() is asked, which knows the secret.

create or replace function group_fault(p_groups text[])
  returns text
  language sql
  stable
as $$
  select case
    when not is_list(p_groups) then 'its groups must be names, not lists'
    when cardinality(p_groups) > bound('groups') then format('it names more than %s groups', bound('groups'))
    when array_position(p_groups, null) is not null or '' = any (p_groups) then 'one of its groups has an empty name'
    when array_to_string(p_groups, chr(10)) ~ E'(^|\n)@' then 'names of groups may not begin with @'
    when array_to_string(p_groups, chr(10)) ~ E'(^|\n)schedule:' and acting_for() is null
      then 'groups that begin with schedule: belong to schedules'
    when cardinality(p_groups) > 1
      and (select count(distinct name) from unnest(p_groups) as given (name)) < cardinality(p_groups)
      then 'it names a group twice'
    when length(array_to_string(p_groups, '')) > bound('group')
      then format('the names of its groups have %s characters, at most %s can be stored',
                  length(array_to_string(p_groups, '')), bound('group'))
    when octet_length(array_to_string(p_groups, '')) > bound('index')
      and exists (select from unnest(p_groups) as given (name) where octet_length(name) > bound('index'))
      then format('the name of one of its groups has more than %s bytes', bound('index'))
  end;
$$;
