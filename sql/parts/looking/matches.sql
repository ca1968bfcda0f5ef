-- matches() — whether a task is what a filter asks for
--
-- The one place that says so, for tasks of both tables. p_workers are the workers that the
-- filter means, null when it names none. A task that has not ended has no error yet,
-- whatever its last attempt came to. The password in a connection string is not
-- searched, for whoever may search may not read it. One expression, so that Postgres
-- inlines it.

create or replace function matches(
  p_want task_filter, p_workers text[], p_state text, p_reason text, p_queue text, p_kind text, p_handler text, p_key text,
  p_groups text[], p_tags text[], p_parent bigint, p_submitted_by text, p_worker text, p_created_at timestamptz,
  p_run_at timestamptz, p_finished_at timestamptz, p_payload jsonb, p_error jsonb
)
  returns boolean
  language sql
  immutable
as $$
  select ((p_want).queue is null or p_queue = (p_want).queue)
     and ((p_want).states is null or p_state = any ((p_want).states))
     and ((p_want).key is null or p_key = (p_want).key)
     and ((p_want).handler is null or p_handler = (p_want).handler)
     and ((p_want).kind is null or p_kind = (p_want).kind)
     and ((p_want).tag is null or (p_want).tag = any (p_tags))
     and ((p_want)."group" is null or (p_want)."group" = any (p_groups))
     and ((p_want).parent is null or p_parent = (p_want).parent)
     and ((p_want).reason is null or p_reason = (p_want).reason)
     and (p_workers is null or p_worker = any (p_workers))
     and ((p_want).submitted_by is null or p_submitted_by = (p_want).submitted_by)
     and ((p_want).created_after is null or p_created_at >= (p_want).created_after)
     and ((p_want).created_before is null or p_created_at < (p_want).created_before)
     and ((p_want).run_after is null or p_run_at >= (p_want).run_after)
     and ((p_want).run_before is null or p_run_at < (p_want).run_before)
     and ((p_want).finished_after is null or p_finished_at >= (p_want).finished_after)
     and ((p_want).finished_before is null or p_finished_at < (p_want).finished_before)
     and ((p_want).code is null or error_code(p_error) = (p_want).code)
     and ((p_want).error is null or fingerprint_of(p_error) = (p_want).error)
     and ((p_want).text is null
          or strpos(lower(hide_password(p_kind, p_payload)::text), lower((p_want).text)) > 0
          or strpos(lower(p_payload ->> 'sql'), lower((p_want).text)) > 0
          or strpos(lower(error_message(p_error)), lower((p_want).text)) > 0);
$$;
