-- Queues of Fetchq, and the relations that stand for them.

-- require_queue() — the queue of that name, or a refusal

create or replace function require_queue(par_queue varchar)
  returns queues
  language plpgsql
  stable
as $$
declare
  v_queue queues;
begin
  select * into v_queue from queues where name = lower(par_queue);
  if not found then
    perform refuse('TK004', format('there is no queue %L', par_queue), 'Create it with queue_create().');
  end if;
  return v_queue;
end;
$$;

-- enter_queue() — the folded name of a queue, which is not dropped until this transaction is over
--
-- For callers that put something in, before the queue is looked up: queue_drop() finds all that was
-- put in before, and nothing comes after it. The weakest lock on a table without rows, so
-- callers never wait for one another.

create or replace function enter_queue(par_queue varchar)
  returns varchar
  language plpgsql
as $$
begin
  case hashtext(lower(par_queue)) & 7
    when 0 then lock table gate_0 in row share mode;
    when 1 then lock table gate_1 in row share mode;
    when 2 then lock table gate_2 in row share mode;
    when 3 then lock table gate_3 in row share mode;
    when 4 then lock table gate_4 in row share mode;
    when 5 then lock table gate_5 in row share mode;
    when 6 then lock table gate_6 in row share mode;
    when 7 then lock table gate_7 in row share mode;
    else null;
  end case;
  return lower(par_queue);
end;
$$;

-- close_queue() — waits for callers that put something in a queue, and keeps others out; see enter_queue()

create or replace function close_queue(par_queue varchar)
  returns void
  language plpgsql
as $$
begin
  if par_queue is not null then
    execute format('lock table gate_%s in exclusive mode', hashtext(lower(par_queue)) & 7);
  end if;
end;
$$;

-- empty_queue() — deletes all documents of a queue, in portions

create or replace function empty_queue(p_queue varchar)
  returns void
  language plpgsql
as $$
declare
  c_portion constant integer := 10000;
  v_tasks   bigint[] := array(select task from document where queue = p_queue);
begin
  for v_from in 1..cardinality(v_tasks) by c_portion loop
    perform forget_documents(v_tasks[v_from:v_from + c_portion - 1]);
  end loop;
end;
$$;

-- forget_documents() — deletes documents, and what is noted about them

create or replace function forget_documents(p_tasks bigint[])
  returns void
  language plpgsql
as $$
begin
  perform delete_many(p_tasks);
  delete from planned where task = any (p_tasks);
  delete from rounds where task = any (p_tasks);
end;
$$;

-- make_relations() — what clients read of a queue: <queue>__docs, __logs and __metrics
--
-- Views, made again with every change of this version. Documents are changed through
-- them by write_document().

create or replace function make_relations(p_queue varchar)
  returns void
  language plpgsql
as $$
declare
  v_schema text := data_schema();
  v_book   text;
begin
  execute format(
    'create or replace view %I.%I as
       select subject, version, priority, status, attempts, iterations, next_iteration, lock_upgrade, created_at,
              last_iteration, payload
       from (%s) as document
       where queue = %L',
    v_schema, p_queue || '__docs', rtrim(pg_get_viewdef('document'::regclass), ';'), p_queue);
  execute format(
    'create or replace trigger write_document instead of insert or update or delete on %I.%I
       for each row execute function write_document(%L)',
    v_schema, p_queue || '__docs', p_queue);
  execute format(
    'create or replace view %I.%I as
       select id, created_at, subject, message, details, ref_id from doc_logs where queue = %L',
    v_schema, p_queue || '__logs', p_queue);
  execute format(
    'create or replace view %I.%I as
       select id, created_at, metric, value from doc_metrics where queue = %L',
    v_schema, p_queue || '__metrics', p_queue);
  foreach v_book in array '{logs,metrics}'::text[] loop
    execute format(
      'create or replace trigger write_book instead of insert on %I.%I
         for each row execute function write_book(%L, %L)',
      v_schema, p_queue || '__' || v_book, p_queue, v_book);
  end loop;
end;
$$;

-- drop_relations() — takes down what clients read of a queue

create or replace function drop_relations(p_queue varchar)
  returns void
  language plpgsql
as $$
declare
  v_suffix text;
begin
  foreach v_suffix in array array['__docs', '__logs', '__metrics'] loop
    execute format('drop view if exists %I.%I', data_schema(), p_queue || v_suffix);
  end loop;
end;
$$;

-- data_schema() — where the relations of the queues are

create or replace function data_schema()
  returns text
  language sql
  stable
as $$
  select current_schema() || '_data';
$$;
