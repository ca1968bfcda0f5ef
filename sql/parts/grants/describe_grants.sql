-- describe_grants() — the rights on a queue by role, for the audit; null when there are none

create or replace function describe_grants(p_queue text)
  returns jsonb
  language sql
  stable
as $$
  select jsonb_object_agg(role, to_jsonb(rights)) from queue_grants where queue = p_queue;
$$;
