-- open_procedure() — what a worker sends to a session that runs a durable procedure
--
-- For the holder of the claim. `sql` is the text, and `run` the value of the setting tusk.run. The
-- text is one DO block: only there may a procedure that is called commit.

create or replace function open_procedure(
  p_id bigint, p_claim bigint, p_procedure text, p_args text[], out sql text, out run text
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_schema text := current_schema();
  v_found  record;
begin
  perform require_tasks('consume', array[p_id]);
  perform require_held(p_id, p_claim, exists (select from tasks where id = find_row(p_id) and claim = p_claim));
  v_found := find_procedure(p_procedure, coalesce(cardinality(p_args), 0), null);
  if v_found.fault is not null then
    perform refuse('TK004', 'the procedure cannot be run: ' || v_found.fault,
                   format('Create the procedure again, then retry the task with retry(%s).', p_id));
  end if;
  run := jsonb_build_object(
    'schema', v_schema, 'task', p_id, 'claim', p_claim, 'token', procedure_token(p_id, p_claim));
  sql := format('do %L', format(
    'begin perform %1$I.begin_procedure(); call %2$s(%3$s); perform %1$I.end_procedure(); end',
    v_schema, v_found.name,
    (select string_agg(quote_nullable(value), ', ' order by place)
     from unnest(p_args) with ordinality as arg (value, place))));
end;
$$;
