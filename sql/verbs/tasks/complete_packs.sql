-- complete_packs(): running → done, many at once, as they were claimed
--
-- complete_many() for a worker that claimed packs (claim_queues()): an element stands for p_sizes
-- tasks, with the ids from p_ids on. Its output is an array with the output of each, or null when
-- none has one; of a single task, the output itself. Answers with the ids of the tasks that it did
-- not complete, because the claim no longer holds them; nearly always none.

create or replace function complete_packs(
  p_ids         bigint[],
  p_sizes       integer[],
  p_claims      bigint[],
  p_outputs     jsonb[]       default null,
  p_started_ats timestamptz[] default null
)
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_done bigint[];
begin
  perform check_outcomes(p_ids, p_claims);
  perform check_packs(p_ids, p_sizes, p_outputs);
  perform check_list('p_outputs', p_outputs);
  perform check_list('p_started_ats', p_started_ats);
  perform check_outputs(p_ids, p_outputs);
  v_done := end_tasks(
    p_ids, p_claims, 'done', null, p_outputs, null, p_started_ats, p_right => 'consume', p_sizes => p_sizes);
  if cardinality(v_done) < (select sum(size) from unnest(p_sizes) as size) then
    return query select id from unnest(expand_ids(p_ids, p_sizes)) as told (id) where id <> all (v_done);
  end if;
end;
$$;

-- check_packs() — refuses sizes that do not fit the ids, and outputs that do not fit the sizes

create or replace function check_packs(p_ids bigint[], p_sizes integer[], p_outputs jsonb[])
  returns void
  language plpgsql
as $$
begin
  if not is_list(p_sizes) or cardinality(p_sizes) is distinct from cardinality(p_ids)
     or array_position(p_sizes, null) is not null or 1 > any (p_sizes) or bound('pack') < any (p_sizes) then
    perform refuse('TK004', 'each pack needs its size',
                   'Give p_ids and p_sizes as claim_queues() returned them, one size per id.');
  end if;
  if p_outputs is not null and exists (
    select from unnest(p_sizes, p_outputs) as pack (size, output)
    where size > 1 and case when jsonb_typeof(output) = 'array' then jsonb_array_length(output) else 0 end <> size
      and output is not null
  ) then
    perform refuse('TK004', 'the output of a pack is an array with the output of each of its tasks',
                   'Give null in it for a task without output, or null in place of the array when none has one.');
  end if;
end;
$$;
