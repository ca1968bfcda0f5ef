-- Durable procedures: how the calls inside of one reach the task that runs it.
--
-- The session that runs a procedure has the setting tusk.run: the schema of the engine, the task, its
-- claim, and a token that proves both. The role that the procedure runs as needs no right to consume.
-- Three marks keep a procedure to the rules:
--
--   tusk.seen   the names that this run has used
--   tusk.mark   set for the transaction that a call has begun: gone if the procedure ended it by itself
--   tusk_call   a prepared statement, there from the begin of a call to its end. Only prepared
--               statements outlive the rollback of a block with EXCEPTION that catches its error.

-- procedure_token() — proves that the worker which holds this claim opened the session

create or replace function procedure_token(p_id bigint, p_claim bigint)
  returns text
  language sql
as $$
  select encode(sha256(claim_secret() || convert_to(format('procedure %s %s', p_id, p_claim), 'UTF8')), 'hex');
$$;

-- read_run() — the task and the claim of the procedure that this session runs; refuses all others

create or replace function read_run(out id bigint, out claim bigint)
  language plpgsql
as $$
declare
  v_run jsonb;
begin
  begin
    v_run := nullif(current_setting('tusk.run', true), '')::jsonb;
    id := v_run ->> 'task';
    claim := v_run ->> 'claim';
  exception when data_exception then
    v_run := null;
  end;
  if (v_run ->> 'token' = procedure_token(id, claim)) is not true then
    perform refuse('TK003', 'this session does not run a durable procedure',
                   'Start the procedure with run(): a worker then calls it.');
  end if;
end;
$$;

-- require_run() — refuses a run whose claim was lost; holds no row, because the first step may be far

create or replace function require_run()
  returns void
  language plpgsql
as $$
declare
  v_run record := read_run();
begin
  perform require_held(v_run.id, v_run.claim, exists (
    select from tasks where id = find_row(v_run.id) and claim = v_run.claim));
end;
$$;

-- hold_run() — locks the row of the task whose procedure this session runs

create or replace function hold_run()
  returns tasks
  language plpgsql
as $$
declare
  v_run record := read_run();
begin
  return lock_held_task(v_run.id, v_run.claim);
end;
$$;

-- is_in_call() — whether a call in this session began and did not come to its end

create or replace function is_in_call()
  returns boolean
  language sql
as $$
  select exists (select from pg_prepared_statements where name = 'tusk_call');
$$;

-- require_own_transaction() — refuses a procedure that ended a transaction, or caught the error of a call

create or replace function require_own_transaction(p_where text)
  returns void
  language plpgsql
as $$
begin
  if is_in_call() then
    perform refuse('TK003', format('the procedure went on to %s after a call of step(), delay() or await() had failed',
                                   p_where),
                   'Do not call them inside of a block with EXCEPTION. To handle an error, catch it in a function '
                   'that the step calls.');
  end if;
  if coalesce(current_setting('tusk.mark', true), '') = '' then
    perform refuse('TK003', format('the procedure committed or rolled back by itself before %s', p_where),
                   'Remove COMMIT and ROLLBACK from it: each step commits with its checkpoint.');
  end if;
end;
$$;

-- use_name() — notes that this run uses a name; refuses one that it has used, and a procedure that was changed
--
-- A name that is not stored is new. It must not be, where earlier runs stored names that this one has not come to.

create or replace function use_name(p_id bigint, p_name text, p_is_new boolean)
  returns void
  language plpgsql
as $$
declare
  v_seen   jsonb := coalesce(nullif(current_setting('tusk.seen', true), ''), '[]');
  v_behind text;
begin
  perform check_name('a step', p_name);
  if v_seen ? p_name then
    perform refuse('TK004', format('the step name %L is used twice', p_name),
                   'Names are unique within a task: give steps of a loop names such as ''item 17/mail''.');
  end if;
  if not p_is_new and not exists (select from steps where task = p_id and name = p_name) then
    select string_agg(format('%L', name), ', ' order by place) into v_behind
    from (select name, place from steps where task = p_id and not v_seen ? name order by place limit 10) as behind;
    if v_behind is not null then
      perform refuse('TK003', format('step %L is not stored, but earlier runs went on to %s', p_name, v_behind),
                     format('Give the step its old name back. If it is new, call it with p_is_new => true. In a loop, '
                            'use ORDER BY. To run from a step again, use retry(%s, p_from => …).', p_id));
    end if;
  end if;
  perform set_config('tusk.seen', (v_seen || to_jsonb(p_name))::text, false);
end;
$$;
