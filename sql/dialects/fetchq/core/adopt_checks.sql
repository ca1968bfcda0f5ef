-- What is asked of an installation of Fetchq before its documents are taken over.

-- list_original() — the queues of an installation, with the tables of each; null where there is no table

create or replace function list_original(p_system text, p_data text)
  returns table (name varchar, docs regclass, logs regclass, metrics regclass)
  language plpgsql
  stable
as $$
begin
  return query execute format(
    'select name, to_regclass(format(''%%I.%%I'', %2$L::text, lower(name) || ''__docs'')),
            to_regclass(format(''%%I.%%I'', %2$L::text, lower(name) || ''__logs'')),
            to_regclass(format(''%%I.%%I'', %2$L::text, lower(name) || ''__metrics''))
     from %1$I.queues order by id', p_system, p_data);
end;
$$;

-- check_original() — refuses an installation that is of another version, foreign or damaged, naming the object

create or replace function check_original(p_system text, p_data text)
  returns void
  language plpgsql
as $$
declare
  v_version text;
  v_name    text;
  v_queue   record;
begin
  select substring(prosrc from '[0-9]+[.][0-9]+[.][0-9]+') into v_version
  from pg_catalog.pg_proc where oid = to_regprocedure(format('%I.info()', p_system));
  if v_version is null or v_version !~ '^4[.]' then
    perform refuse(
      'TK004',
      case when v_version is null then 'the schema fetchq has no function info() that tells a version of Fetchq'
           else format('the schema fetchq holds Fetchq %s', v_version) end,
      'Only Fetchq 4.x can be adopted: upgrade it to 4.0.2, or rename the schema if it is something else.');
  end if;
  foreach v_name in array '{queues,jobs,metrics,metrics_writes}'::text[] loop
    perform check_columns(
      'fetchq.' || v_name, to_regclass(format('%I.%I', p_system, v_name)),
      array(select format('%s %s', attname, atttypid::regtype) from pg_catalog.pg_attribute
            where attrelid = to_regclass(quote_ident(v_name)) and attnum > 0 and not attisdropped));
  end loop;
  execute format('select min(name) from %I.queues group by lower(name) having count(*) > 1 limit 1', p_system)
  into v_name;
  if v_name is not null then
    perform refuse('TK004', format('fetchq.queues has the queue %s more than once', v_name),
                   'Delete the duplicate rows.');
  end if;

  for v_queue in select * from list_original(p_system, p_data) loop
    v_name := 'fetchq_data.' || lower(v_queue.name);
    if lower(v_queue.name) !~ '^[a-z_][a-z0-9_]{0,39}$' then
      perform refuse('TK004', format('fetchq.queues has %L, which cannot be the name of a queue', v_queue.name),
                     'A name has 1 to 40 letters, digits and underscores, and does not begin with a digit.');
    end if;
    -- queue_get_id() of the original registers a queue without making its tables.
    continue when v_queue.docs is null and v_queue.logs is null and v_queue.metrics is null;
    perform check_columns(
      v_name || '__docs', v_queue.docs,
      '{"subject character varying","version integer","priority integer","status integer","attempts integer",
        "iterations bigint","next_iteration timestamp with time zone","lock_upgrade timestamp with time zone",
        "created_at timestamp with time zone","last_iteration timestamp with time zone","payload jsonb"}');
    perform check_columns(
      v_name || '__logs', v_queue.logs,
      '{"created_at timestamp with time zone","subject character varying","message character varying",
        "details jsonb","ref_id character varying"}');
    perform check_columns(
      v_name || '__metrics', v_queue.metrics,
      '{"created_at timestamp with time zone","metric character varying","value bigint"}');
    perform check_documents(v_name || '__docs', v_queue.docs);
  end loop;
end;
$$;

-- check_columns() — refuses a table that is not there, is none, or has not the columns of the original

create or replace function check_columns(p_name text, p_relation regclass, p_columns text[])
  returns void
  language plpgsql
as $$
declare
  v_column text;
begin
  if not exists (select from pg_catalog.pg_class where oid = p_relation and relkind in ('r', 'p')) or p_relation is null
  then
    perform refuse('TK004', format('there is no table %s', p_name),
                   'The installation is damaged, or half-way between two versions: restore it first.');
  end if;
  select wanted into v_column
  from unnest(p_columns) as wanted
  where wanted not in (
    select format('%s %s', attname, atttypid::regtype) from pg_catalog.pg_attribute
    where attrelid = p_relation and attnum > 0 and not attisdropped)
  limit 1;
  if v_column is not null then
    perform refuse('TK004', format('the table %s has no column %s', p_name, v_column),
                   'The installation is damaged, or half-way between two versions: restore it first.');
  end if;
end;
$$;

-- check_documents() — refuses documents that cannot be kept as they are, naming the first

create or replace function check_documents(p_name text, p_docs regclass)
  returns void
  language plpgsql
as $$
declare
  v_subject text;
  v_fault   text;
begin
  execute format(
    'select subject, fault
     from %s
     cross join lateral (select case
       when status is null or status not in (-1, 0, 1, 2, 3) then ''an unknown status''
       when subject = '''' then ''an empty subject''
       when next_iteration is null then ''no next_iteration''
       when version is null or version < 0 then ''a version below 0''
       when priority is null or attempts is null or iterations is null then ''no priority, attempts or iterations''
       when lock_upgrade is not null then ''a lock_upgrade'' end as fault) as seen
     where fault is not null
     limit 1', p_docs) into v_subject, v_fault;
  if v_fault is not null then
    perform refuse('TK004', format('the document %L of %s has %s', v_subject, p_name, v_fault),
                   'Change or delete it, and begin again.');
  end if;
end;
$$;

-- describe_adoption() — what is taken over, and what stays behind, line by line

create or replace function describe_adoption(p_system text, p_data text)
  returns setof text
  language plpgsql
as $$
declare
  v_queue record;
  v_line  text;
begin
  return next format('keep the schemas fetchq and fetchq_data as %I and %I', p_system, p_data);
  for v_queue in select * from list_original(p_system, p_data) loop
    if v_queue.docs is null then
      return next format('move the queue %s, which has no tables', lower(v_queue.name));
      continue;
    end if;
    execute format(
      'select format(''move %%s documents of %%s (%%s planned, %%s pending, %%s active, %%s completed, %%s killed), ''
                     ''%%s logs and %%s snapshots'', count(*), %L,
                     count(*) filter (where status = 0), count(*) filter (where status = 1),
                     count(*) filter (where status = 2), count(*) filter (where status = 3),
                     count(*) filter (where status = -1), (select count(*) from %s), (select count(*) from %s))
       from %s', lower(v_queue.name), v_queue.logs, v_queue.metrics, v_queue.docs) into v_line;
    return next v_line;
    return query
      select format('leave the trigger %I with the old table %s', tgname, tgrelid::regclass)
      from pg_catalog.pg_trigger
      where tgrelid = v_queue.docs and not tgisinternal and tgname !~ '^fetchq__.*__trg_notify_(insert|update)$';
  end loop;
  return query
    select format('leave %I in %I: it belongs to no queue', relname, p_data)
    from pg_catalog.pg_class
    where relnamespace = to_regnamespace(quote_ident(p_data)) and relkind in ('r', 'v', 'm', 'p')
      and oid not in (
        select unnest(array[docs, logs, metrics]) from list_original(p_system, p_data) where docs is not null);
  return query
    select format('the role %I could use fetchq: grant it the role operator of the engine', grantee::regrole)
    from pg_catalog.pg_namespace, pg_catalog.aclexplode(nspacl)
    where nspname = p_system and grantee <> 0 and grantee <> nspowner and privilege_type = 'USAGE';
end;
$$;
