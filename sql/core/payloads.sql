-- Large payloads: kept beside the rows of their tasks.
--
-- A row over 2 kB does not fit into its page as it is, so Postgres stores its payload in a table
-- that belongs to `tasks`. When the task ended, the payload was read, written into the table of
-- `finished` and removed from the first: 10 kB took three times as long as the rest of the end.
-- So the payload of such a task is in `payloads`, under the task's id, and stays there until
-- nothing of the task is kept. Its row has null in place of it (docs/decisions/0028).
--
-- Only tasks for handlers, which have a row of their own: payloads in packs are small. A payload
-- that is changed later is in the task's row, whatever its size.
--
-- Statements that read payloads say coalesce(payload, (select … from payloads …)): Postgres does
-- not inline a function with a query in it.

-- largest_row_payload() — up to how many bytes, in memory, a payload is in the row of its task

create or replace function largest_row_payload()
  returns integer
  language sql
  immutable
as $$
  select 2000;
$$;

-- has_large_payload() — whether the payload of a new task is stored beside its row

create or replace function has_large_payload(p_kind text, p_payload jsonb)
  returns boolean
  language sql
  stable
as $$
  select pg_column_size(p_payload) > largest_row_payload() and coalesce(p_kind, 'handler') = 'handler';
$$;

-- take_payload() — the payload of a task that is about to be written anew; one that is beside the row is removed there
--
-- Refuses a task whose payload is gone: its time is over, and sweep() is removing it.

create or replace function take_payload(p_task bigint, p_payload jsonb)
  returns jsonb
  language plpgsql
as $$
begin
  if p_payload is null then
    delete from payloads where task = p_task returning payload into p_payload;
    if not found then
      perform refuse_unknown(p_task);
    end if;
  end if;
  return p_payload;
end;
$$;

-- document_index_name() — names of queues are longer than those of indexes may be

create or replace function document_index_name(p_queue text)
  returns text
  language sql
  immutable
as $$
  select 'documents_of_' || md5(p_queue);
$$;
