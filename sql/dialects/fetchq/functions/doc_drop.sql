-- doc_drop() — active → gone; its subject may be pushed again

create or replace function doc_drop(par_queue varchar, par_subject varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := drop_document(par_queue, par_subject, null);
end;
$$;

create or replace function doc_drop(par_queue varchar, par_subject varchar, par_token bigint, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := drop_document(par_queue, par_subject, par_token);
end;
$$;
