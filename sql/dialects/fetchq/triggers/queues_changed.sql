-- Notifies clients and engine of changes of the registry, by function or by hand.

create or replace function tell_engine()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if tg_op = 'INSERT' then
    perform remove_ghosts(new.name);
  end if;
  perform set_queue(
    new.name,
    jsonb_build_object('max_attempts', greatest(new.max_attempts, 1))
      || case when tg_op = 'UPDATE' then '{}' else
           '{"keeps_keys": true, "max_payload": 1073741823, "keep_done": "1000 years", "keep_failed": "1000 years",
             "keep_cancelled": "1000 years"}'::jsonb end);
  return null;
end;
$$;

-- remove_ghosts() — deletes the documents of a queue whose dialect was dropped without dropping the queue
--
-- `drop schema fetchq cascade` leaves the tasks in the engine. Their queue still has the settings that only
-- tell_engine() gives and queue_drop() takes back, and no other schema that speaks Fetchq shows them.

create or replace function remove_ghosts(p_queue varchar)
  returns void
  language plpgsql
as $$
begin
  if (select count(*) from read_settings(p_queue)
      where source = 'queue' and (
        (setting = 'keeps_keys' and value = 'true') or (setting = 'max_payload' and value = '1073741823')
        or (setting in ('keep_done', 'keep_failed', 'keep_cancelled') and value = '"1000 years"'))) = 5
     and not exists (
       select from pg_catalog.pg_class
       where relname = p_queue || '__docs' and relkind = 'v' and relnamespace::regnamespace::text <> data_schema())
  then
    perform empty_queue(p_queue);
  end if;
end;
$$;

create or replace trigger fetchq_on_change
  after insert or update or delete on queues
  for each row execute function trigger_notify_as_json();

create or replace trigger tell_engine_of_new
  after insert on queues
  for each row execute function tell_engine();

create or replace trigger tell_engine
  after update of max_attempts on queues
  for each row when (old.max_attempts is distinct from new.max_attempts)
  execute function tell_engine();
