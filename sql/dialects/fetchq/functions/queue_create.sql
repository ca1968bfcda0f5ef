-- queue_create() — a queue for documents, with its jobs and the relations clients read
--
-- False for a queue that is there, and for a name that cannot be one. Completed and
-- killed documents stay, and keep their subjects, until somebody drops or purges them.

create or replace function queue_create(par_queue varchar, out was_created boolean, out queue_id integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_name varchar := lower(par_queue);
begin
  was_created := false;
  if v_name is null or v_name !~ '^[a-z_][a-z0-9_]{0,39}$' then
    raise log 'fetchq: % cannot be the name of a queue', par_queue;
    return;
  end if;
  lock table creations in share row exclusive mode;
  queue_id := queue_get_id(v_name);
  if to_regclass(format('%I.%I', data_schema(), v_name || '__docs')) is not null then
    return;
  end if;

  perform make_relations(v_name);
  insert into jobs (task, queue, next_iteration, settings, payload)
  values ('mnt', v_name, now(), '{"delay": "100ms", "duration": "1m", "limit": 500}', '{}'),
         ('sts', v_name, now(), '{"delay": "5m", "duration": "5m"}', '{}'),
         ('cmp', v_name, now(), '{"delay": "10m", "duration": "5m"}', '{}'),
         ('drp', v_name, now(), '{"delay": "10m", "duration": "5m"}', '{}')
  on conflict (task, queue) do nothing;
  perform pg_notify('fetchq_queue_create', v_name);
  was_created := true;
end;
$$;
