-- forget_lines() — what earlier rounds wrote gives way, by half, where a task has no room for so many lines more
--
-- One that is rescheduled again and again may live for ever; it would fall silent after its
-- first thousand lines. What the present claim wrote stays.

create or replace function forget_lines(p_ids bigint[], p_claims bigint[])
  returns void
  language plpgsql
as $$
begin
  delete from logs
  using (
    select tasks.id, claims.claimed_at, half.line
    from tasks
    join claims on claims.id = any (array[tasks.claim])
    cross join lateral (
      select lines.id as line from logs as lines where lines.task = any (array[tasks.id]) order by lines.id offset 499 limit 1
    ) as half
    where tasks.id = any (p_ids) and tasks.claim = any (p_claims) and tasks.iteration > 0
      and (select count(*) from (select from logs as lines where lines.task = any (array[tasks.id]) limit 1000) as kept)
            + cardinality(p_ids) > 1000
  ) as long
  where logs.task = any (array[long.id]) and logs.id <= long.line and logs.at < long.claimed_at;
end;
$$;
