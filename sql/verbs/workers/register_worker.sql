-- register_worker() — a process that will run tasks makes itself known
--
-- With what it can run, as it tells claim(): explain() says of a task that no such worker serves
-- it. A worker that registers again changes what it said.

create or replace function register_worker(
  p_worker        text,
  p_queues        text[],
  p_slots         integer,
  p_host          text,
  p_pid           integer,
  p_version       text,
  p_kinds         text[]    default null,
  p_handlers      text[]    default null,
  p_versions_from integer[] default null,
  p_versions_to   integer[] default null,
  p_door          text      default 'sql'
)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_worker(p_worker);
  perform check_list('p_queues', p_queues);
  if num_nulls(p_queues, p_slots, p_host, p_version, p_door) > 0 or (p_pid is null and p_door <> 'http') then
    perform refuse('TK004', format('worker %s leaves out where it runs or what it serves', p_worker),
                   'Give its queues, slots, host, pid and version; none of them may be null.');
  end if;
  if cardinality(p_queues) > bound('queues') or length(array_to_string(p_queues, '')) > bound('queues') * 20
     or array_position(p_queues, null) is not null or greatest(length(p_host), length(p_version)) > bound('host') then
    perform refuse('TK004',
                   format('worker %s serves too many queues, or one without a name, or its host or version is too long',
                          p_worker),
                   format('A worker serves up to %s queues; host and version have up to %s characters.',
                          bound('queues'), bound('host')));
  end if;
  perform check_list('p_kinds', p_kinds);
  perform check_list('p_handlers', p_handlers);
  if p_door not in ('sql', 'http') or cardinality(p_kinds) > bound('queues')
     or cardinality(p_handlers) > bound('queues') or length(array_to_string(p_handlers, '')) > bound('queues') * 20
     or cardinality(p_handlers) is distinct from cardinality(p_versions_from)
     or cardinality(p_handlers) is distinct from cardinality(p_versions_to) then
    perform refuse('TK004', format('worker %s has invalid kinds, handlers or an invalid door', p_worker),
                   format('Give up to %s handlers, the first and the last version of each, and the door sql or http.',
                          bound('queues')));
  end if;
  if has_grants() then
    perform require_queues('consume', p_queues);
  end if;
  insert into workers (id, host, pid, version, door, queues, kinds, handlers, versions_from, versions_to, slots,
                       started_at, beat_at)
  values (p_worker, p_host, p_pid, p_version, p_door, p_queues, p_kinds, p_handlers, p_versions_from, p_versions_to,
          p_slots, clock_timestamp(), clock_timestamp())
  on conflict (id) do update
    set queues        = excluded.queues,
        kinds         = excluded.kinds,
        handlers      = excluded.handlers,
        versions_from = excluded.versions_from,
        versions_to   = excluded.versions_to,
        slots         = excluded.slots,
        beat_at       = excluded.beat_at,
        draining_at   = null
    -- An executor chooses its name, and must not take that of a worker.
    where workers.door = excluded.door;
end;
$$;
