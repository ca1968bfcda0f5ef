-- rules() — what a queue is set to, with everything it leaves open taken from '*'

create or replace function rules(p_queue text)
  returns queues
  language plpgsql
  stable
as $$
declare
  v_rules  queues;
  v_common queues;
  v_both   record;
begin
  select own, common into v_both
  from queues as common
  left join queues as own on own.name = p_queue
  where common.name = '*';
  v_rules := v_both.own;
  v_common := v_both.common;
  v_rules.name := p_queue;
  v_rules.is_counted := coalesce(v_rules.is_counted, false);
  v_rules.is_fair := coalesce(v_rules.is_fair, false);
  v_rules.keeps_keys := coalesce(v_rules.keeps_keys, false);
  v_rules.records_events := coalesce(v_rules.records_events, false);
  v_rules.max_attempts := coalesce(v_rules.max_attempts, v_common.max_attempts);
  v_rules.max_payload := coalesce(v_rules.max_payload, v_common.max_payload);
  v_rules.group_max_running := coalesce(v_rules.group_max_running, v_common.group_max_running);
  v_rules.keep_done := coalesce(v_rules.keep_done, v_common.keep_done);
  v_rules.keep_failed := coalesce(v_rules.keep_failed, v_common.keep_failed);
  v_rules.keep_cancelled := coalesce(v_rules.keep_cancelled, v_common.keep_cancelled);
  v_rules.backoff := coalesce(v_rules.backoff, v_common.backoff);
  v_rules.on_lost := coalesce(v_rules.on_lost, v_common.on_lost);
  return v_rules;
end;
$$;
