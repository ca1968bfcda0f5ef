-- run(): → queued, a task that runs a durable procedure
--
--   select run('fulfil', '{42}', p_groups => '{customer 7}');
--
-- The worker for SQL calls the procedure, in this database and as the role that enqueues it. Inside,
-- step(), delay() and await() keep its place: after a wait or a crash it runs again from the top, and
-- steps that are done answer from their checkpoint. p_args are its arguments as text. p_options are the
-- rest of the payload: role, settings, search_path. Answers with the task's id.

create or replace function run(
  p_procedure     text,
  p_args          text[]      default '{}',
  p_queue         text        default 'sql',
  p_run_at        timestamptz default null,
  p_timeout       interval    default null,
  p_max_attempts  integer     default null,
  p_priority      integer     default null,
  p_key           text        default null,
  p_on_duplicate  text        default null,
  p_groups        text[]      default null,
  p_options       jsonb       default '{}',
  p_after         bigint[]    default null,
  p_after_failure text        default null,
  -- Evaluated where the caller is: so a name is found as the caller would find it.
  p_search_path   text        default current_setting('search_path')
)
  returns bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_found record;
  v_id    bigint;
begin
  perform check_list('p_args', p_args);
  v_found := find_procedure(p_procedure, coalesce(cardinality(p_args), 0), read_search_path(p_search_path));
  if v_found.fault is not null then
    perform refuse('TK004', 'the procedure cannot be run: ' || v_found.fault,
                   'Nothing was enqueued. A durable procedure is created with CREATE PROCEDURE, has IN arguments only, '
                   'and neither SECURITY DEFINER nor SET.');
  end if;
  select enqueued.id into v_id
  from enqueue(
    p_queue,
    coalesce(p_options, '{}')
      || jsonb_build_object('procedure', v_found.name, 'args', to_jsonb(coalesce(p_args, '{}'))),
    p_kind => 'sql', p_run_at => p_run_at, p_timeout => p_timeout, p_max_attempts => p_max_attempts,
    p_priority => p_priority, p_key => p_key, p_on_duplicate => p_on_duplicate, p_groups => p_groups,
    p_after => p_after, p_after_failure => p_after_failure) as enqueued;
  return v_id;
end;
$$;
