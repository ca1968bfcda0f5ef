-- What a task must be to be stored: checked once, for every way in.

-- may_have_fault() — whether one task needs a closer look, by fault_code(), for what most tasks are given
--
-- Postgres prepares all of an expression once per transaction, also what it does not come to, which takes longer
-- than to evaluate it. So this is what store_tasks() asks of one task alone: no more than a yes for all that may
-- break a rule, and one value per argument, for a field of a record takes two steps to prepare.

create or replace function may_have_fault(
  p_queue text, p_payload jsonb, p_kind text, p_handler text, p_key text, p_version integer, p_run_at timestamptz
)
  returns boolean
  language sql
  immutable
as $$
  select p_queue is null or p_queue in ('', '*') or p_queue like '@%' or length(p_queue) > bound('name')
    or p_payload is null
    or p_kind not in ('handler', 'document')
    or p_handler = '' or length(p_handler) > bound('name')
    or p_key = '' or octet_length(p_key) > bound('key')
    or p_version < 0
    or not isfinite(p_run_at);
$$;

-- fault_code() — which rule a task that is to be stored breaks; null when it breaks none
--
-- One expression, so that Postgres inlines it into the statement that checks a whole bulk. It has no
-- messages (task_fault() has), and the properties that few tasks are given are a function of their own, which
-- tasks with a version or a time do not call. Sizes have a code of their own (check_payloads(),
-- check_sizes()), and SQL is checked by sql_fault().

create or replace function fault_code(p_task new_task, p_now timestamptz)
  returns text
  language sql
  stable
as $$
  select case
    when coalesce(p_task.queue, '') in ('', '*') or p_task.queue like '@%' or length(p_task.queue) > bound('name')
      then 'queue'
    when p_task.payload is null then 'payload'
    when p_task.kind not in ('sql', 'handler', 'document') then 'kind'
    when p_task.handler = '' then 'no handler'
    when length(p_task.handler) > bound('name') then 'handler'
    when p_task.key = '' or length(p_task.key) > bound('key') then 'key'
    when octet_length(p_task.key) > bound('index') then 'key bytes'
    when p_task.version < 0 then 'version'
    when not isfinite(p_task.run_at) then 'run_at'
    when num_nonnulls(
      p_task.deadline, p_task.on_duplicate, p_task."window", p_task.max_attempts, p_task.max_running, p_task.timeout,
      p_task.retention, p_task.groups, p_task.tags, p_task.backoff, p_task.after, p_task.after_failure) > 0
      then option_fault_code(p_task, p_now)
  end;
$$;

-- option_fault_code() — which rule the properties break that few tasks are given

create or replace function option_fault_code(p_task new_task, p_now timestamptz)
  returns text
  language plpgsql
  stable
as $$
begin
  return case
    when p_task.deadline <= coalesce(p_task.run_at, p_now) then 'deadline'
    when p_task.on_duplicate not in ('keep', 'replace', 'debounce', 'throttle') then 'on_duplicate'
    when p_task.on_duplicate is not null and p_task.key is null then 'no key'
    when p_task.on_duplicate in ('debounce', 'throttle') and coalesce(p_task."window", interval '0') <= interval '0'
      then 'no window'
    when p_task.max_attempts < 1 then 'max_attempts'
    when p_task.max_running < 1 then 'max_running'
    when p_task.timeout <= interval '0' then 'timeout'
    when p_task.retention < interval '0' then 'retention'
    -- What ends a task adds it to the time, and would find that the calendar is over.
    when greatest(p_task.retention, p_task."window") > interval '1000 years' then 'calendar'
    when p_task.groups is not null and group_fault(p_task.groups) is not null then 'groups'
    when p_task.tags is not null and tags_fault(p_task.tags) is not null then 'tags'
    when p_task.backoff is not null and backoff_fault(p_task.backoff) is not null then 'backoff'
    when p_task.after_failure not in ('fail', 'skip', 'run') then 'after_failure'
    when p_task.after_failure is not null and p_task.after is null then 'no after'
    when not is_list(p_task.after, bound('bulk')) or p_task.after = '{}'
      or array_position(p_task.after, null) is not null then 'after'
  end;
end;
$$;

-- task_fault() — what is wrong with a task that is to be stored; null when nothing is

create or replace function task_fault(p_task new_task, p_now timestamptz)
  returns text
  language sql
  stable
as $$
  select case fault_code(p_task, p_now)
    when 'queue' then
      case when coalesce(p_task.queue, '') = '' then 'it has no queue'
           else format('queue %L must have at most %s characters, not be * and not begin with @',
                       left(p_task.queue, 300), bound('name')) end
    when 'payload' then 'it has no payload'
    when 'kind' then format('kind %L is unknown; use sql, handler or document', p_task.kind)
    when 'no handler' then 'its handler has no name'
    when 'handler' then format('the name of its handler has %s characters, at most %s can be stored',
                               length(p_task.handler), bound('name'))
    when 'version' then format('version %s is negative', p_task.version)
    when 'run_at' then 'run_at must be a finite time'
    when 'deadline' then format('its deadline %s is over before it may run', p_task.deadline)
    when 'key' then format('a key has 1 to %s characters', bound('key'))
    when 'key bytes' then format('its key has %s bytes, at most %s can be stored', octet_length(p_task.key),
                                 bound('index'))
    when 'on_duplicate' then format('on_duplicate %L is unknown; use keep, replace, debounce or throttle',
                                    p_task.on_duplicate)
    when 'no key' then 'on_duplicate needs a key'
    when 'no window' then format('%s needs a window such as ''1 minute''', p_task.on_duplicate)
    when 'max_attempts' then 'max_attempts must be 1 or more'
    when 'max_running' then 'max_running must be 1 or more'
    when 'timeout' then 'timeout must be longer than 0'
    when 'retention' then 'retention must not be negative'
    when 'calendar' then 'retention and window must be 1000 years or less'
    when 'groups' then group_fault(p_task.groups)
    when 'tags' then tags_fault(p_task.tags)
    when 'backoff' then backoff_fault(p_task.backoff)
    when 'after_failure' then format('after_failure %L is unknown; use fail, skip or run', p_task.after_failure)
    when 'no after' then 'after_failure needs after'
    when 'after' then format('after must be a list of 1 to %s task ids', bound('bulk'))
  end;
$$;

-- check_tasks() — refuses tasks if one of them cannot be stored, naming which and why

create or replace function check_tasks(p_tasks new_task[], p_by text, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_count integer := cardinality(p_tasks);
  v_place integer := 0;
  v_one   new_task;
  v_fault text;
begin
  if v_count > bound('bulk') then
    perform refuse('TK004', format('a call with %s tasks: at most %s can be enqueued at once', v_count, bound('bulk')),
                   'Enqueue them in several calls; one transaction can hold them all.');
  end if;
  -- All of them in one statement; which it is, is asked one by one only where one is at fault.
  if v_count > 1 and not exists (
    select from unnest(p_tasks) as task
    where fault_code(task, p_now) is not null
      -- Not "and": a kind of null would have sql_fault() called for every task.
      or case when task.kind = 'sql' then sql_fault(task.payload, p_by) end is not null
      or pg_column_size(task.meta) > bound('meta')
  ) then
    return;
  end if;
  foreach v_one in array p_tasks loop
    v_place := v_place + 1;
    v_fault := task_fault(v_one, p_now);
    if v_fault is null and v_one.kind = 'sql' then
      v_fault := sql_fault(v_one.payload, p_by);
    end if;
    if v_fault is not null then
      perform refuse_task(
        'TK004', v_place, format('%s cannot be enqueued: %s', place_in_bulk(v_place, v_count), v_fault),
        'Nothing was enqueued. Correct the task and send it again.');
    end if;
    if pg_column_size(v_one.meta) > bound('meta') then
      perform check_sizes('meta', array(select task.meta from unnest(p_tasks) as task));
    end if;
  end loop;
end;
$$;

-- place_in_bulk() — how messages name one task of a call

create or replace function place_in_bulk(p_place bigint, p_count integer)
  returns text
  language sql
  immutable
as $$
  select case when p_count > 1 then format('task %s of %s', p_place, p_count) else 'the task' end;
$$;

-- check_payloads() — refuses payloads above what their queue allows
--
-- Sizes are those of jsonb in memory, which is what the table has to carry.

create or replace function check_payloads(p_queues text[], p_payloads jsonb[])
  returns void
  language plpgsql
as $$
declare
  v_over record;
begin
  select i as place, pg_column_size(p_payloads[i]) as size, rules.max_payload into v_over
  from generate_subscripts(p_payloads, 1) as i
  cross join lateral queue_rules(p_queues[i]) as rules
  where pg_column_size(p_payloads[i]) > rules.max_payload
  limit 1;
  if found then
    perform refuse_task(
      'TK005', v_over.place,
      format('the payload of %s has %s bytes, queue %s takes %s',
             case when cardinality(p_queues) > 1 then 'task ' || v_over.place else 'the task' end,
             v_over.size, p_queues[v_over.place], v_over.max_payload),
      'Store the data elsewhere and enqueue a reference, or raise max_payload with set_queue().');
  end if;
end;
$$;

-- check_run_at() — refuses a time that never comes

create or replace function check_run_at(p_run_at timestamptz)
  returns void
  language plpgsql
as $$
begin
  if p_run_at is null or not isfinite(p_run_at) then
    perform refuse('TK004', 'run_at must be a finite time', 'Give a time such as now() + interval ''1 hour''.');
  end if;
end;
$$;

-- tags_fault() — what is wrong with the tags of a task; null when nothing is
--
-- In plpgsql: Postgres cannot inline the look at each tag, and a function in SQL that is not
-- inlined made a bulk with tags take 1.8 times as long.

create or replace function tags_fault(p_tags text[])
  returns text
  language plpgsql
  immutable
as $$
begin
  if p_tags is null then
    return null;
  elsif not is_list(p_tags) then
    return 'its tags are lists of their own, not names';
  elsif cardinality(p_tags) > bound('tags') then
    return format('it has %s tags, at most %s can be stored', cardinality(p_tags), bound('tags'));
  elsif array_position(p_tags, null) is not null then
    return 'one of its tags is null';
  elsif length(array_to_string(p_tags, '')) <= bound('tag') then
    return null;
  elsif exists (select from unnest(p_tags) as given (tag) where length(tag) > bound('tag')) then
    return format('one of its tags has more than %s characters', bound('tag'));
  end if;
  return null;
end;
$$;

-- check_literals() — refuses texts that are not array literals, naming the first
--
-- For enqueue_many(), which takes groups and tags as literals such as '{a,b}'.

create or replace function check_literals(p_name text, p_literals text[])
  returns void
  language plpgsql
as $$
begin
  perform count(literal::text[]) from unnest(p_literals) as given (literal);
exception when data_exception then
  for i in 1 .. cardinality(p_literals) loop
    begin
      perform p_literals[i]::text[];
    exception when data_exception then
      perform refuse_task(
        'TK004', i,
        format('%s cannot be enqueued: its %s are %L; write a list such as {a,b}',
               place_in_bulk(i, cardinality(p_literals)), p_name, left(p_literals[i], 100)),
        'Nothing was enqueued. Correct the task and send it again.');
    end;
  end loop;
end;
$$;

-- check_id_literals() — refuses texts that are not array literals of ids, naming the first

create or replace function check_id_literals(p_literals text[])
  returns void
  language plpgsql
as $$
begin
  for i in 1 .. cardinality(p_literals) loop
    begin
      perform p_literals[i]::bigint[];
    exception when data_exception then
      perform refuse_task('TK004', i, format('the after of task %s is not a list of ids: %s', i, sqlerrm),
                          'Write the ids as {81,82}. Nothing was enqueued.');
    end;
  end loop;
end;
$$;
