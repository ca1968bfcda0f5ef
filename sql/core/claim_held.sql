-- queued → running, when other transactions hold the groups of all tasks that could start.

-- claim_held() — claims from queues in which claim_tasks() met held groups and nothing else to start
--
-- Waits for the rows of those groups, but not for one that keeps its group, such as an
-- operator's transaction that stays open: no longer than c_patience in all, and then for a while
-- not at all in this session (tusk.hurries_until). The hints are those of due_queues().

create or replace function claim_held(
  p_queues          text[],
  p_limit           integer,
  p_worker          text,
  p_lease           interval,
  p_kinds           text[],
  p_handlers        text[],
  p_versions_from   integer[],
  p_versions_to     integer[],
  p_from_counts     integer[],
  p_from_priorities integer[],
  p_from_times      timestamptz[]
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
as $$
#variable_conflict use_column
declare
  c_patience constant integer := 250;
  v_before text := current_setting('lock_timeout');
  v_first  integer := 1;
  v_left   integer := p_limit;
  v_found  integer;
begin
  perform set_config('tusk.met_held_group', '', true);
  if nullif(current_setting('tusk.hurries_until', true), '')::timestamptz > clock_timestamp() then
    return;
  end if;
  -- A subtransaction for each queue: what was answered already stays claimed.
  for i in 1 .. cardinality(p_queues) loop
    begin
      perform set_config('lock_timeout', greatest(10, c_patience / cardinality(p_queues)) || 'ms', true);
      return query
        select * from claim_tasks(
          p_queues[i], v_left, p_worker, p_lease, p_kinds, p_handlers, p_versions_from, p_versions_to,
          p_from_priorities[v_first : v_first + p_from_counts[i] - 1],
          p_from_times[v_first : v_first + p_from_counts[i] - 1], true);
      get diagnostics v_found = row_count;
      v_found := (count_claimed(v_found)).tasks;
      perform set_config('lock_timeout', v_before, true);
    exception when lock_not_available then
      perform set_config('tusk.hurries_until', (clock_timestamp() + interval '2 seconds')::text, false);
      return;
    end;
    v_left := v_left - v_found;
    exit when v_left = 0;
    v_first := v_first + p_from_counts[i];
  end loop;
end;
$$;
