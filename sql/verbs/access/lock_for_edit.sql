-- lock_for_edit() — locks a queue, group, schedule or task against other changes until the end of the transaction
--
--   select lock_for_edit('queue', 'mail');
--
-- For doors that let people edit what they have seen: what is read after this is what
-- will be changed. A queue or group that has no settings yet gets a row, so that there is
-- something to hold; what else is not there is left to those who ask for it next.

create or replace function lock_for_edit(p_kind text, p_name text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform require_operable(p_kind, p_name);
  case p_kind
    when 'queue' then
      if p_name is distinct from '*' then
        perform check_queue(p_name);
      end if;
      insert into queues (name) select p_name where p_name <> '*' on conflict (name) do nothing;
      perform from queues where name = p_name for update;
    when 'group' then
      perform check_group(p_name);
      perform lock_groups(array[p_name], clock_timestamp(), p_creates => true);
    when 'schedule' then
      perform from schedules where name = p_name for update;
    when 'task' then
      perform split_packs(array[p_name::bigint]);
      perform from tasks where id = p_name::bigint for no key update;
      if not found then
        perform from finished where id = p_name::bigint for no key update;
      end if;
    else
      perform refuse('TK004', format('%s cannot be edited', coalesce(quote_literal(p_kind), 'null')),
                     'Give p_kind as queue, group, schedule or task.');
  end case;
end;
$$;

-- require_operable() — refuses a caller that may not operate a queue, group, schedule or task

create or replace function require_operable(p_kind text, p_name text)
  returns void
  language plpgsql
as $$
declare
  v_plan schedules;
begin
  if not has_grants() then
    return;
  end if;
  case p_kind
    when 'queue' then perform require_queues('operate', array[p_name]);
    when 'group' then perform require_groups('operate', array[p_name]);
    when 'task' then perform require_tasks('operate', array[p_name::bigint]);
    when 'schedule' then
      select * into v_plan from schedules where name = p_name;
      perform require_schedule(v_plan);
    else null;
  end case;
end;
$$;
