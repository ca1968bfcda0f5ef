-- row_of() — the row of a task table that an engine's task was made of

create or replace function row_of(p_plan timestamptz, p_parent bigint, p_meta jsonb, p_payload jsonb)
  returns task_row
  language sql
  stable
as $$
  select jsonb_populate_record(
    null::task_row,
    p_meta -> 'pg_task' || jsonb_build_object(
      'plan', p_plan, 'parent', p_parent, 'input', p_payload ->> 'sql', 'remote', p_payload #>> '{connection,dsn}'));
$$;
