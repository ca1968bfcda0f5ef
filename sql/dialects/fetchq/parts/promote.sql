-- promote() — counts a document as pending that was planned, if it was; true in any case

create or replace function promote(p_queue varchar, p_task bigint)
  returns boolean
  language plpgsql
as $$
begin
  delete from planned where task = p_task;
  if found then
    perform tally(p_queue, '{pnd,pln}', '{1,-1}');
  end if;
  return true;
end;
$$;
