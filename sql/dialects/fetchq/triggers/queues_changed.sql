-- Whoever changes the registry, by function or by hand, is told of to clients and engine.

create or replace function tell_engine()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform set_queue(
    new.name,
    jsonb_build_object('max_attempts', greatest(new.max_attempts, 1))
      || case when tg_op = 'UPDATE' then '{}' else
           '{"keeps_keys": true, "max_payload": 1073741823, "keep_done": "1000 years", "keep_failed": "1000 years",
             "keep_cancelled": "1000 years"}'::jsonb end);
  return null;
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
