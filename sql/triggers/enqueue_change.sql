-- enqueue_change() — what the triggers of set_trigger() do: a row has changed, a task is enqueued
--
-- In the name of whoever made the trigger, with the engine's own rights: who changes
-- the row need not be allowed to enqueue anything.

create or replace function enqueue_change()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_trigger row_triggers;
begin
  select * into v_trigger from row_triggers where name = tg_argv[0] and relation = tg_relid;
  if not found then
    return null;
  end if;
  perform set_config('tusk.acting_for', v_trigger.secret || v_trigger.name, true);
  perform from enqueue_many(jsonb_build_array(trigger_task(
    v_trigger.name, v_trigger.settings, format('%I.%I', tg_table_schema, tg_table_name), tg_op,
    case when tg_op <> 'INSERT' then row_as_json(tg_relid, old) end,
    case when tg_op <> 'DELETE' then row_as_json(tg_relid, new) end)));
  perform set_config('tusk.acting_for', '', true);
  return null;
end;
$$;
