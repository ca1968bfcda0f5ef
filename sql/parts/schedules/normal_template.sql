-- normal_template() — the task of a schedule with its groups as an array, as occurrence_task() adds to them

create or replace function normal_template(p_task jsonb)
  returns jsonb
  language sql
  stable
as $$
  select case
    when jsonb_typeof(p_task -> 'groups') = 'string'
      then p_task || jsonb_build_object('groups', to_jsonb((p_task ->> 'groups')::text[]))
    else p_task
  end;
$$;
