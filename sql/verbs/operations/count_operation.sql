-- count_operation() — how many tasks an operation would find, and the newest ten, before it is started
--
--   select * from count_operation('retry', '{"queue": "mail"}');
--
-- What start_operation() refuses is refused here. Counted as count_tasks() does: at least so
-- many if it is not exact.

create or replace function count_operation(
  p_action    text,
  p_filter    jsonb,
  p_arguments jsonb    default '{}',
  p_cap       integer  default 10000,
  p_within    interval default '200 ms',
  out count   bigint,
  out exact   boolean,
  out newest  bigint[]
)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  v_op     operations;
  v_filter jsonb;
begin
  perform check_operation(p_action, p_filter, p_arguments);
  v_op.action := p_action;
  v_op.filter := p_filter;
  v_op.created_at := clock_timestamp();
  v_filter := operation_filter(v_op);
  select counted.count, counted.exact into count, exact from count_tasks(v_filter, p_cap, p_within) as counted;
  newest := (page_tasks(v_filter, null, 10, p_within)).ids;
end;
$$;
