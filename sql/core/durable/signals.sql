-- Signals: kept until a task receives them, in the order in which they came.

-- take_signal() — the step of a wait, done if a signal has come for it; the caller holds the task's row

create or replace function take_signal(p_task tasks, p_step steps, p_signal text, p_now timestamptz)
  returns steps
  language plpgsql
as $$
declare
  v_signal signals;
begin
  -- Another transaction may hold the first: a task of the same key that just received it. It is passed by.
  select * into v_signal
  from (
    select * from (
      select * from signals where task = p_task.id and name = p_signal order by id limit 1 for update skip locked
    ) as own
    union all
    select * from (
      select * from signals
      where task is null and queue = p_task.queue and key = p_task.key and name = p_signal and keep_until > p_now
      order by id limit 1 for update skip locked
    ) as keyed
  ) as come
  order by id
  limit 1;
  if not found then
    return p_step;
  end if;
  delete from signals where id = v_signal.id;
  update steps
  set state = 'done', finished_at = p_now, output = v_signal.payload, signal = v_signal.id,
      signal_name = v_signal.name
  where task = p_task.id and name = p_step.name
  returning * into p_step;
  return p_step;
end;
$$;

-- return_signals() — puts signals back that steps had received, in their old order
--
-- For steps that are forgotten.

create or replace function return_signals(p_steps steps[])
  returns void
  language sql
as $$
  insert into signals (id, task, name, sent_at, sent_by, payload)
  select signal, task, signal_name, finished_at, submitter(), output
  from unnest(p_steps)
  where signal is not null and kind = 'signal'
  on conflict (id) do nothing;
$$;
