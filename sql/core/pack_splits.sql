-- How the tasks of a pack get rows of their own (core/packs.sql).

-- split_packs() — gives each of these tasks a row of its own, whether it is live or has ended

create or replace function split_packs(p_ids bigint[])
  returns void
  language plpgsql
as $$
begin
  -- In this order: a task that ends meanwhile is found by the second look.
  perform split_live_packs(p_ids);
  perform split_kept_packs(p_ids);
end;
$$;

-- split_live_packs() — splits the rows of tasks in which these tasks are; answers whether there were any
--
-- A row that another transaction is splitting is waited for, unless p_waits is false, and counts.

create or replace function split_live_packs(p_ids bigint[], p_waits boolean default true)
  returns boolean
  language plpgsql
as $$
declare
  v_packs bigint[];
  v_pack  bigint;
begin
  if not exists (select from lanes where has_packs) then
    return false;
  end if;
  v_packs := array(
    select distinct pack.id
    from unnest(p_ids) as given (id)
    cross join lateral (
      select id, size from tasks
      where id <= given.id and id > greatest(given.id, 0) - bound('pack') order by id desc limit 1
    ) as pack
    where pack.size > 1 and pack.id + pack.size > given.id
    order by pack.id);
  foreach v_pack in array v_packs loop
    perform cut_pack(v_pack, 1, p_waits);
  end loop;
  return v_packs <> '{}';
end;
$$;

-- cut_pack() — cuts a row of tasks into rows of at most p_piece tasks each; answers where the first of them is
--
-- The row is changed, not replaced, so that a transaction that waits for it finds it again.
-- Null when it is not larger than that, or held by another transaction and p_waits is false.

create or replace function cut_pack(p_id bigint, p_piece integer, p_waits boolean default true)
  returns tid
  language plpgsql
as $$
declare
  v_pack  tasks;
  v_piece tasks;
  v_tid   tid;
begin
  if p_waits then
    select * into v_pack from tasks where id = p_id and size > p_piece for no key update;
  else
    select * into v_pack from tasks where id = p_id and size > p_piece for no key update skip locked;
  end if;
  if not found then
    return null;
  end if;
  v_piece := v_pack;
  for v_from in p_piece .. v_pack.size - 1 by p_piece loop
    v_piece.id := v_pack.id + v_from;
    v_piece.size := least(p_piece, v_pack.size - v_from);
    v_piece.payload := slice_of(v_pack.payload, v_from, v_piece.size);
    insert into tasks values (v_piece.*);
  end loop;
  update tasks set size = p_piece, payload = slice_of(v_pack.payload, 0, p_piece)
  where id = p_id
  returning ctid into v_tid;
  return v_tid;
end;
$$;

-- slice_of() — the payloads, or outputs, of some tasks of a pack: of one as it is, of several as an array

create or replace function slice_of(p_values jsonb, p_from integer, p_size integer)
  returns jsonb
  language sql
  immutable
as $$
  select case
    when p_size = 1 then p_values -> p_from
    else (select jsonb_agg(value order by ordinality)
          from jsonb_array_elements(p_values) with ordinality
          where ordinality > p_from and ordinality <= p_from + p_size)
  end;
$$;

-- split_kept_packs() — splits the rows of finished in which these tasks are

create or replace function split_kept_packs(p_ids bigint[])
  returns void
  language plpgsql
as $$
declare
  v_pack  finished;
  v_piece finished;
begin
  for v_pack in
    select * from finished
    where size > 1 and id = any (array(
      select pack.id
      from unnest(p_ids) as given (id)
      cross join lateral (
        select id, size from finished
        where id <= given.id and id > greatest(given.id, 0) - bound('pack') order by id desc limit 1
      ) as pack
      where pack.size > 1 and pack.id + pack.size > given.id))
    order by id
    for update
  loop
    v_piece := v_pack;
    v_piece.size := 1;
    for v_from in 1 .. v_pack.size - 1 loop
      v_piece.id := v_pack.id + v_from;
      v_piece.payload := v_pack.payload -> v_from;
      v_piece.output := nullif(v_pack.output -> v_from, 'null');
      insert into finished values (v_piece.*);
    end loop;
    update finished set size = 1, payload = v_pack.payload -> 0, output = nullif(v_pack.output -> 0, 'null')
    where id = v_pack.id and size = v_pack.size;
  end loop;
end;
$$;

-- wait_for_pack() — waits until no other transaction holds a pack, but not for long; answers whether to look again
--
-- As claim_held() does for groups: no longer than c_patience, and then for a while not at
-- all in this session. An older snapshot would not see what has become of the pack.

create or replace function wait_for_pack(p_pack bigint)
  returns boolean
  language plpgsql
as $$
declare
  c_patience constant text := '250ms';
  v_before   text := current_setting('lock_timeout');
begin
  if p_pack is null or nullif(current_setting('tusk.hurries_until', true), '')::timestamptz > clock_timestamp()
     or current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    return false;
  end if;
  begin
    perform set_config('lock_timeout', c_patience, true);
    perform from tasks where id = p_pack for no key update;
    perform set_config('lock_timeout', v_before, true);
    return true;
  exception when lock_not_available then
    perform set_config('tusk.hurries_until', (clock_timestamp() + interval '2 seconds')::text, false);
    return false;
  end;
end;
$$;
