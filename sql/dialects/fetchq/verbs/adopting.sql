-- Taking over an installation of Fetchq 4.x, and giving it back. The installer renames its schemas before it
-- installs this dialect in their place, in the same transaction: see --adopt.

-- adopt_original() — queues, documents, logs, counters and settings of an installation become those of this one
--
--   select * from fetchq.adopt_original('fetchq_original', 'fetchq_data_original', true);    -- says what would happen
--
-- Answers with the steps. Callers of the original wait from the first lock to the commit.

create or replace function adopt_original(p_system text, p_data text, p_is_dry boolean default false)
  returns setof text
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue record;
begin
  if exists (select from queues) then
    perform refuse('TK003', format('the schema %I has queues already', current_schema()),
                   'An installation of Fetchq is taken over when the dialect is installed, not later.');
  end if;
  if not p_is_dry then
    perform lock_original(p_system, p_data);
  end if;
  perform check_original(p_system, p_data);
  return query select describe_adoption(p_system, p_data);
  if p_is_dry then
    return;
  end if;

  perform move_settings(p_system, p_data);
  for v_queue in select * from list_original(p_system, p_data) where docs is not null loop
    perform move_documents(lower(v_queue.name), v_queue.docs);
    perform move_books(lower(v_queue.name), v_queue.logs, v_queue.metrics);
  end loop;
  insert into adopted (system_schema, data_schema) values (p_system, p_data);
end;
$$;

-- give_back() — writes everything as it is now into the tables of the installation that was adopted
--
-- Answers with its queues: which are new, so that the original has yet to index them, and which notify. The
-- installer then drops this dialect and renames the schemas back.

create or replace function give_back()
  returns table (queue varchar, is_new boolean, is_told boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_kept  adopted := require_adopted();
  v_table record;
begin
  perform lock_original(v_kept.system_schema, v_kept.data_schema);
  perform close_queue(name) from queues;
  perform metric_log_pack();
  queue := null;
  for queue, is_told in select name, is_told(config) from queues order by id loop
    is_new := to_regclass(format('%I.%I', v_kept.data_schema, queue || '__docs')) is null;
    if is_new then
      perform make_original_tables(v_kept.data_schema, queue);
    end if;
    perform return_rows(v_kept.data_schema, queue || '__docs', data_schema(), queue || '__docs', '{}');
    perform return_rows(v_kept.data_schema, queue || '__logs', data_schema(), queue || '__logs', '{id}');
    perform return_rows(v_kept.data_schema, queue || '__metrics', data_schema(), queue || '__metrics', '{id}');
    return next;
  end loop;
  for v_table in
    select docs, logs, metrics from list_original(v_kept.system_schema, v_kept.data_schema)
    where docs is not null and lower(name) not in (select name from queues)
  loop
    execute format('drop table %s, %s, %s', v_table.docs, v_table.logs, v_table.metrics);
  end loop;
  perform return_rows(v_kept.system_schema, kept, current_schema(), kept, '{}')
  from unnest('{queues,jobs,metrics,metrics_writes}'::text[]) as kept;
  execute format('update %I.queues set config = config - ''notify''', v_kept.system_schema);
end;
$$;

-- drop_adopted() — drops the installation of Fetchq that was adopted, with all that is in its two schemas

create or replace function drop_adopted()
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_kept adopted := require_adopted();
begin
  execute format('drop schema if exists %I, %I cascade', v_kept.system_schema, v_kept.data_schema);
  delete from adopted;
end;
$$;

-- require_adopted() — the installation that was adopted and is still kept, or a refusal

create or replace function require_adopted()
  returns adopted
  language plpgsql
as $$
declare
  v_kept adopted;
begin
  select * into v_kept from adopted;
  if not found then
    perform refuse('TK004', 'no installation of Fetchq was adopted, or it was dropped since',
                   'There is nothing to give back or to drop.');
  end if;
  return v_kept;
end;
$$;

-- make_original_tables() — the tables of a queue, as the original makes them

create or replace function make_original_tables(p_data text, p_queue text)
  returns void
  language plpgsql
as $$
begin
  execute format(
    'create table %I.%I (
       subject varchar(50) primary key, version integer default 0, priority integer default 0,
       status integer default 0, attempts integer default 0, iterations bigint default 0, next_iteration timestamptz,
       lock_upgrade timestamptz, created_at timestamptz, last_iteration timestamptz, payload jsonb)',
    p_data, p_queue || '__docs');
  execute format(
    'create table %I.%I (
       id serial primary key, created_at timestamptz default now(), subject varchar(50) not null,
       message varchar(255) not null, details jsonb, ref_id varchar)', p_data, p_queue || '__logs');
  execute format(
    'create table %I.%I (
       id serial primary key, created_at timestamptz default now(), metric varchar(50) not null, value bigint)',
    p_data, p_queue || '__metrics');
end;
$$;

-- return_rows() — replaces the rows of a table of the original by those of ours; it numbers those of p_numbered

create or replace function return_rows(p_schema text, p_table text, p_from_schema text, p_from text, p_numbered text[])
  returns void
  language plpgsql
as $$
declare
  v_to      regclass := format('%I.%I', p_schema, p_table);
  v_from    regclass := format('%I.%I', p_from_schema, p_from);
  v_columns text := (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_catalog.pg_attribute
    where attrelid = v_from and attnum > 0 and not attisdropped and attname <> all (p_numbered));
begin
  execute format('alter table %s disable trigger user', v_to);
  execute format('truncate %s', v_to);
  execute format('insert into %1$s (%2$s) select %2$s from %3$s order by %4$s', v_to, v_columns, v_from,
                 case when p_numbered = '{}' then '1' else 'id' end);
  execute format('alter table %s enable trigger user', v_to);
  if p_table in ('queues', 'jobs', 'metrics') then
    execute format('select setval(%L, max(id)) from %s having max(id) is not null',
                   pg_get_serial_sequence(v_to::text, 'id'), v_to);
  end if;
end;
$$;
