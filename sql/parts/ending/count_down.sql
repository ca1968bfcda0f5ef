-- count_down() — one element per task that ended: its claim has one task less, and goes with the last
--
-- Others may be counting down the same claims: they are waited for, but not for long. A
-- transaction that stays open holds the row of every claim of which it ended a task, and
-- must not hold up callers that end the others: what they would have counted is noted beside the
-- row, and counted by fold_notes().

create or replace function count_down(p_claims bigint[])
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
    select claim, count(*)::integer as n from unnest(p_claims) as ended (claim) where claim is not null group by claim
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
    select ended.claim, count(*)::integer
    from unnest(p_claims) as ended (claim)
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
