-- Locks that only the engine can take, through which every claim passes.

-- gate_number() — the number of a queue's gate; one expression, so that Postgres inlines it

create or replace function gate_number(p_queue text)
  returns integer
  language sql
  immutable
as $$
  select hashtext(p_queue) & 7;
$$;

-- enter_gate() — lets a claim into its queue; false when start_counting() keeps the gate shut
--
-- The weakest lock on a table without rows: claims never wait for one another, and not for
-- long for a gate that is shut. Call it before the settings of the queue are read: what
-- start_counting() has changed is then seen.

create or replace function enter_gate(p_queue text)
  returns boolean
  language plpgsql
  set lock_timeout = '250ms'
as $$
begin
  case gate_number(p_queue)
    when 0 then lock table gate_0 in row share mode;
    when 1 then lock table gate_1 in row share mode;
    when 2 then lock table gate_2 in row share mode;
    when 3 then lock table gate_3 in row share mode;
    when 4 then lock table gate_4 in row share mode;
    when 5 then lock table gate_5 in row share mode;
    when 6 then lock table gate_6 in row share mode;
    when 7 then lock table gate_7 in row share mode;
  end case;
  return true;
exception when lock_not_available then
  return false;
end;
$$;

-- close_gate() — waits for claims of a queue that are under way, and lets none in until the transaction ends
--
-- While it stands in line for the lock, claims stand behind it. So it gives up its place
-- after a moment and comes again: a claim in a transaction that stays open holds up the one
-- who sets a limit, and not the other claims. But claims that wait for groups may take
-- turns in holding the gate for longer than that moment. So every tenth time it stays until those have ended: a
-- claim that stands behind it goes away before.

create or replace function close_gate(p_queue text)
  returns void
  language plpgsql
as $$
declare
  c_tries constant integer := 100;
  v_before text := current_setting('lock_timeout');
begin
  for i in 1 .. c_tries loop
    begin
      perform set_config('lock_timeout', case when i % 10 = 0 then '600ms' else '100ms' end, true);
      execute format('lock table gate_%s in exclusive mode', gate_number(p_queue));
      perform set_config('lock_timeout', v_before, true);
      return;
    exception when lock_not_available then
      perform pg_sleep(0.1);
    end;
  end loop;
  raise exception using
    errcode = 'lock_not_available',
    message = format(
      'queue %s could not be given its first limit: a claim of it is in a transaction that stays open', p_queue),
    hint    = 'Nothing was changed. Try again when that transaction has ended.';
end;
$$;

-- lock_current_rules() — makes a claim with an old snapshot fail instead of reading old rules
--
-- At repeatable read or serializable a claim may not see that its queue has got its first
-- limit, or was paused, since the transaction began: it would start tasks that are never
-- counted. To lock a row that has changed since the snapshot is a serialization failure
-- (40001), and so is to insert one that exists unseen. Called before claim() waits for
-- anything, so that it never holds what set_queue() waits for.

create or replace function lock_current_rules(p_queue text)
  returns void
  language plpgsql
as $$
begin
  perform from queues where name = p_queue for share;
  if not found then
    insert into queues (name) values (p_queue) on conflict (name) do nothing;
  end if;
end;
$$;

-- start_uncounted() — whether a claim may start tasks of groups without a row, uncounted, until it commits
--
-- Uncounted starts and the making of rows of groups exclude each other: the one takes a lock
-- that goes with its like, the other one that goes with its like and not with the first. So
-- a transaction that makes a row sees all that started before, and all that starts later sees
-- the row. A claim waits for no other: where it gets no lock it counts, as it does with an old snapshot,
-- which may not show the row, and where a dialect wants to see each group's row.
--
-- p_now names the claim. The setting is read by has_started_uncounted().

create or replace function start_uncounted(p_now timestamptz)
  returns boolean
  language plpgsql
as $$
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable')
     or exists (select from pg_trigger where tgrelid = 'groups'::regclass and not tgisinternal) then
    return false;
  end if;
  lock table uncounted_starts in row exclusive mode nowait;
  perform set_config('tusk.uncounted_at', p_now::text, true);
  return true;
exception when lock_not_available then
  return false;
end;
$$;

-- has_started_uncounted() — whether this claim has called start_uncounted()
--
-- One expression, so that Postgres inlines it.

create or replace function has_started_uncounted(p_now timestamptz)
  returns boolean
  language sql
  stable
as $$
  select coalesce(current_setting('tusk.uncounted_at', true) = p_now::text, false);
$$;

-- stop_uncounted() — waits for claims that start tasks uncounted, and lets none do so until the transaction ends
--
-- A claim waits only for a moment: while it stands in line, others count what they start. False
-- when that was not enough.

create or replace function stop_uncounted(p_waits boolean)
  returns boolean
  language plpgsql
as $$
begin
  if not p_waits then
    return stop_uncounted_soon();
  end if;
  lock table uncounted_starts in share mode;
  return true;
end;
$$;

-- stop_uncounted_soon() — stop_uncounted() of a claim

create or replace function stop_uncounted_soon()
  returns boolean
  language plpgsql
  set lock_timeout = '20ms'
as $$
begin
  lock table uncounted_starts in share mode;
  return true;
exception when lock_not_available then
  return false;
end;
$$;
