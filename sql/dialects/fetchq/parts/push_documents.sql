-- push_documents() — stores many documents of one version and time; tells how many were new

create or replace function push_documents(
  p_queue queues, p_version integer, p_next timestamptz, p_subjects text[], p_priorities integer[], p_payloads jsonb[]
)
  returns integer
  language plpgsql
as $$
declare
  v_next  timestamptz := finite(p_next);
  v_many  integer     := cardinality(p_subjects);
  v_event text        := case when finite(p_next) > now() then 'pln' else 'pnd' end;
  v_new   bigint[];
  v_names text[];
begin
  -- Nearly always all of them are new; or else some are taken, and the others new.
  v_new := enqueue_alike(
    p_queue.name, 'document', p_version, nullif(v_next, now()), p_subjects, p_priorities, p_payloads);
  if v_new is null then
    select array_agg(p_subjects[i] order by i), array_agg(p_priorities[i] order by i), array_agg(p_payloads[i] order by i)
    into p_subjects, p_priorities, p_payloads
    from generate_subscripts(p_subjects, 1) as i
    where not is_kept(p_queue.name, p_subjects[i]);
    if p_subjects is null then
      return 0;
    end if;
    if cardinality(p_subjects) < v_many then
      v_many := cardinality(p_subjects);
      v_new := enqueue_alike(
        p_queue.name, 'document', p_version, nullif(v_next, now()), p_subjects, p_priorities, p_payloads);
    end if;
  end if;
  v_names := p_subjects;
  if v_new is null then
    select array_agg(made.id), array_agg(p_subjects[made.place])
    into v_new, v_names
    from enqueue_many(
      array_fill(p_queue.name::text, array[v_many]), p_payloads,
      p_kinds => array_fill('document'::text, array[v_many]), p_priorities => p_priorities,
      p_run_ats => case when v_next <> now() then array_fill(v_next, array[v_many]) end, p_keys => p_subjects,
      p_versions => array_fill(p_version, array[v_many])) with ordinality as made (id, outcome, place)
    where made.outcome = 'created';
    if v_new is null then
      return 0;
    end if;
  end if;

  if v_event = 'pln' then
    insert into planned (task, queue, run_at) select id, p_queue.name, v_next from unnest(v_new) as made (id);
  end if;
  insert into metrics_writes (created_at, queue, metric, increment)
  values (now(), p_queue.name, case v_event when 'pln' then '@plan ' else '@push ' end || p_version, cardinality(v_new));
  if is_told(p_queue.config) then
    perform tell(p_queue, v_event, variadic v_names);
  end if;
  return cardinality(v_new);
end;
$$;
