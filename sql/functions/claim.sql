-- claim(): queued → running
--
-- Hands out up to p_limit due tasks of one queue under one lease, highest priority
-- first, then by time, then by arrival. The token comes with each task (claim);
-- every later word about the task must carry it. Rows that somebody else is
-- claiming are skipped, not waited for, so no two callers get the same task.
-- Nothing is handed out beyond the limits of the queue and of the task's groups.
--
-- A task of a group is passed over while another transaction holds the row of the group, as
-- those do for a moment that start or end a task of it. If that leaves nothing to start, the
-- claim waits for those rows, but not for one that keeps its group, such as an operator's
-- transaction that stays open: no longer than c_patience, and then for a while
-- not at all in this session (tusk.hurries_until).
--
-- p_kinds, and p_handlers with the versions each of them takes, keep away what the
-- caller cannot run. p_from_* are hints; see pick().

create or replace function claim(
  p_queue           text,
  p_limit           integer       default 1,
  p_worker          text          default null,
  p_lease           interval      default '15 seconds',
  p_kinds           text[]        default null,
  p_handlers        text[]        default null,
  p_versions_from   integer[]     default null,
  p_versions_to     integer[]     default null,
  p_from_priorities integer[]     default null,
  p_from_times      timestamptz[] default null
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
    payload          jsonb
  )
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  c_patience constant text := '250ms';
  v_before   text;
begin
  perform check_claim(p_queue, p_limit, p_lease, p_handlers, p_versions_from, p_versions_to);
  -- Asked here, so that a claim does not pay for a call.
  if length(p_worker) not between 1 and bound('name') then
    perform check_worker(p_worker);
  end if;
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    perform hold_current_rules(p_queue);
  end if;
  if not pass_gate(p_queue) then
    return;
  end if;
  return query
    select * from claim_tasks(
      p_queue, p_limit, p_worker, p_lease, p_kinds, p_handlers, p_versions_from, p_versions_to, p_from_priorities,
      p_from_times, false);
  if found or coalesce(current_setting('tusk.met_held_group', true), '') = '' then
    return;
  end if;
  perform set_config('tusk.met_held_group', '', true);
  if nullif(current_setting('tusk.hurries_until', true), '')::timestamptz > clock_timestamp() then
    return;
  end if;
  v_before := current_setting('lock_timeout');
  begin
    perform set_config('lock_timeout', c_patience, true);
    return query
      select * from claim_tasks(
        p_queue, p_limit, p_worker, p_lease, p_kinds, p_handlers, p_versions_from, p_versions_to, p_from_priorities,
        p_from_times, true);
    perform set_config('lock_timeout', v_before, true);
  exception when lock_not_available then
    perform set_config('tusk.hurries_until', (clock_timestamp() + interval '2 seconds')::text, false);
  end;
end;
$$;
