-- save_steps(): running, with checkpoints
--
-- For the holders of the claims; one element per step, also of several tasks. States are done (as
-- when left out), retrying, for an attempt at a step that failed, and failed, for the last of them. A
-- result above 1 MB is refused. Answers with the ids of tasks that their claims no longer hold: of
-- those nothing was stored.

create or replace function save_steps(
  p_ids         bigint[],
  p_claims      bigint[],
  p_names       text[],
  p_outputs     jsonb[]       default null,
  p_errors      jsonb[]       default null,
  p_states      text[]        default null,
  p_kinds       text[]        default null,
  p_started_ats timestamptz[] default null
)
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_lost bigint[];
begin
  perform check_outcomes(p_ids, p_claims);
  if not is_list(p_names) or cardinality(p_names) is distinct from cardinality(p_ids) then
    perform refuse('TK004', 'each step needs a task and a name', 'Give p_ids, p_claims and p_names of one length.');
  end if;
  if not (is_list(p_outputs) and is_list(p_errors) and is_list(p_states) and is_list(p_kinds)
          and is_list(p_started_ats)) then
    perform check_list('p_outputs', p_outputs);
    perform check_list('p_errors', p_errors);
    perform check_list('p_states', p_states);
    perform check_list('p_kinds', p_kinds);
    perform check_list('p_started_ats', p_started_ats);
  end if;
  if not array_remove(p_states, null) <@ '{done,retrying,failed}' or not array_remove(p_kinds, null) <@ '{step,version}'
  then
    perform refuse('TK004', 'a step is done, retrying or failed, and of kind step or version', 'Nothing was stored.');
  end if;
  perform require_tasks('consume', p_ids);
  perform check_steps(p_names, p_outputs);
  v_lost := store_steps(p_ids, p_claims, p_names, p_outputs, p_errors, p_states, p_kinds, p_started_ats);
  -- Those in packs have no row of their own yet.
  if v_lost <> '{}' and split_live_packs(v_lost) then
    v_lost := store_steps(
      array(select case when id = any (v_lost) then id end from unnest(p_ids) with ordinality as given (id, place)
            order by place),
      p_claims, p_names, p_outputs, p_errors, p_states, p_kinds, p_started_ats);
  end if;
  return query select unnest(v_lost);
end;
$$;
