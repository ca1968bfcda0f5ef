-- read_tasks() — an array of objects as rows, one per task, each property in its type

create or replace function read_tasks(p_tasks jsonb)
  returns table (
    queue        text,
    payload      jsonb,
    handler      text,
    kind         text,
    priority     integer,
    run_at       timestamptz,
    key          text,
    on_duplicate text,
    "window"     interval,
    frees_key    boolean,
    groups       text[],
    max_running  integer,
    tags         text[],
    version      integer,
    max_attempts integer,
    backoff      jsonb,
    timeout      interval,
    deadline     timestamptz,
    retention    interval,
    parent       bigint,
    meta         jsonb
  )
  language sql
  stable
as $$
  select *
  from jsonb_to_recordset(p_tasks) as task (
    queue text, payload jsonb, handler text, kind text, priority integer, run_at timestamptz, key text,
    on_duplicate text, "window" interval, frees_key boolean, groups text[], max_running integer, tags text[],
    version integer, max_attempts integer, backoff jsonb, timeout interval, deadline timestamptz,
    retention interval, parent bigint, meta jsonb);
$$;
