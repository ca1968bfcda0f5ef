-- register_worker() — a process that will run tasks makes itself known

create or replace function register_worker(
  p_worker  text,
  p_queues  text[],
  p_slots   integer,
  p_host    text,
  p_pid     integer,
  p_version text
)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_worker(p_worker);
  perform check_list('p_queues', p_queues);
  if num_nulls(p_queues, p_slots, p_host, p_pid, p_version) > 0 then
    perform refuse('TK004', format('worker %s leaves out where it runs or what it serves', p_worker),
                   'Give its queues, slots, host, pid and version; none of them may be null.');
  end if;
  if cardinality(p_queues) > bound('queues') or length(array_to_string(p_queues, '')) > bound('queues') * 20
     or array_position(p_queues, null) is not null or greatest(length(p_host), length(p_version)) > bound('host') then
    perform refuse('TK004', format('worker %s serves too many queues, or one without a name, or its host or version is too long', p_worker),
                   format('A worker serves up to %s queues; host and version have up to %s characters.', bound('queues'), bound('host')));
  end if;
  if has_grants() then
    perform require_queues('consume', p_queues);
  end if;
  insert into workers (id, host, pid, version, queues, slots, started_at, beat_at)
  values (p_worker, p_host, p_pid, p_version, p_queues, p_slots, clock_timestamp(), clock_timestamp())
  on conflict (id) do update
    set queues      = excluded.queues,
        slots       = excluded.slots,
        beat_at     = excluded.beat_at,
        draining_at = null;
end;
$$;
