-- claim_fitting(): queued → running
--
-- claim() for a caller that can take so many bytes: hands out no more tasks than have p_bytes
-- of JSON in payload and meta together, but one in any case. What does not fit is not claimed.
--
-- Which tasks a claim gets is known only when groups and turns have been asked. If they have
-- too many bytes, that is rolled back before any task was written, and the claim begins anew
-- for as many as fit. Workers use claim(), which measures nothing.

create or replace function claim_fitting(
  p_queue         text,
  p_limit         integer,
  p_bytes         bigint,
  p_worker        text      default null,
  p_lease         interval  default '15 seconds',
  p_kinds         text[]    default null,
  p_handlers      text[]    default null,
  p_versions_from integer[] default null,
  p_versions_to   integer[] default null
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
  v_limit integer := p_limit;
  v_fits  text;
begin
  if p_bytes is null or p_bytes < 1 then
    perform refuse('TK004', format('the limit cannot be %s bytes', coalesce(p_bytes::text, 'null')),
                   'Give 1 byte or more.');
  end if;
  perform check_claim(p_queue, p_limit, p_lease, p_handlers, p_versions_from, p_versions_to);
  if p_worker is not null then
    perform check_worker(p_worker);
  end if;
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    perform lock_current_rules(p_queue);
  end if;
  if not enter_gate(p_queue) then
    return;
  end if;
  -- Ends: what fits is fewer than was asked for, and one task always does.
  loop
    begin
      return query
        select taken.id + n, taken.claim, taken.attempt, taken.max_attempts, taken.iteration, taken.priority,
               taken.version, taken.kind, taken.queue, taken.handler, taken.key, taken.groups, taken.tags, taken.parent,
               taken.created_at, taken.run_at, taken.deadline, taken.timeout, taken.lease_expires_at, taken.meta,
               case when taken.size = 1 then taken.payload else taken.payload -> n end
        from claim_tasks(
          p_queue, v_limit, p_worker, p_lease, p_kinds, p_handlers, p_versions_from, p_versions_to, null, null,
          false, p_bytes) as taken
        cross join lateral generate_series(0, taken.size - 1) as n;
      exit;
    exception when sqlstate 'TKFIT' then
      get stacked diagnostics v_fits = pg_exception_detail;
      v_limit := v_fits;
    end;
  end loop;
  -- Only claim() waits for a group that another transaction holds.
  if not found and coalesce(current_setting('tusk.met_held_group', true), '') <> '' then
    return query
      select *
      from claim(p_queue, least(p_limit, 1), p_worker, p_lease, p_kinds, p_handlers, p_versions_from, p_versions_to);
  end if;
end;
$$;
