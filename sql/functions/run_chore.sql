-- run_chore() — does a round of one of the built-in chores
--
-- Workers call it for the chores they lead; psql or any scheduler may call it too.
-- With a worker and a term it does nothing unless that worker leads in that term
-- (fence()). Any number may do a chore at once, with the same result: each takes only
-- rows that no other holds and that are still as the chore expects them.
--
-- Answers how many things it dealt with and, if it can tell, in how many milliseconds
-- there will be more to do; 0 when p_limit cut it short.

create or replace function run_chore(
  p_chore  text,
  p_worker text    default null,
  p_term   bigint  default null,
  p_limit  integer default null,
  out processed  bigint,
  out next_in_ms float8
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_round(p_limit);
  if p_term is not null then
    perform fence(p_chore, p_worker, p_term);
  end if;
  case p_chore
    when 'wake' then
      processed := wake_sleepers();
    when 'rescue' then
      select count(*) into processed from rescue(coalesce(p_limit, 1000));
      -- What is over and was not rescued is held by another transaction: once a second will do.
      next_in_ms := case
        when processed >= coalesce(p_limit, 1000) then 0
        else (select case when next > interval '0' then extract(epoch from next) * 1000 else 1000 end
              from next_rescue() as next
              where next is not null)
      end;
    when 'expire' then
      select count(*) into processed from expire(coalesce(p_limit, 1000));
      -- At most once a second, however close the deadlines are.
      next_in_ms := case
        when processed >= coalesce(p_limit, 1000) then 0
        else (select greatest(extract(epoch from min(deadline) - clock_timestamp()), 1) * 1000
              from tasks
              where deadline > clock_timestamp()
              having min(deadline) is not null)
      end;
    when 'fire' then
      select fired.processed, fired.next_in_ms into processed, next_in_ms from fire(coalesce(p_limit, 100)) as fired;
    when 'sweep' then
      -- By itself: until the end of the transaction nobody can end a task.
      processed := prepare_days(clock_timestamp());
      if processed > 0 then
        next_in_ms := 0;
        return;
      end if;
      select swept.tasks + swept.days, case when swept.more then 0 end into processed, next_in_ms
      from sweep(coalesce(p_limit, 10000)) as swept;
    when 'roll_up' then
      processed := roll_up(coalesce(p_limit, 10000));
      next_in_ms := case when processed >= coalesce(p_limit, 10000) then 0 end;
    when 'forget_workers' then
      select count(*) into processed from forget_workers();
      perform fold_runs();
    when 'mend_limits' then
      select count(*) into processed from mend_limits();
    when 'storage' then
      processed := keep_storage();
    when 'operations' then
      select went.processed, case when went.more then 0 end into processed, next_in_ms
      from go_on(coalesce(p_limit, 500)) as went;
    else
      perform refuse('TK004', format('there is no built-in chore %s', coalesce(left(p_chore, bound('chore')), 'null')),
                     'They are wake, rescue, expire, fire, sweep, roll_up, forget_workers, mend_limits, storage and operations.');
  end case;
end;
$$;
