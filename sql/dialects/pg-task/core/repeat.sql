-- Tasks that come again.

-- write_repeat() — inserts the repetition of a task that has ended, with every column of its row
--
-- As pg_task does: also columns of the user's. Generated columns and identities get values
-- of their own. follow_rows() plans it, in the name of the role that inserted the first.

create or replace function write_repeat(p_ended ended_task, p_row task_row, p_table task_tables)
  returns void
  language plpgsql
as $$
declare
  c_own constant text[] := '{id,plan,parent,start,stop,pid,state,error,output}';
  v_zone    text := coalesce(p_ended.meta #>> '{pg_task,zone}', 'UTC');
  v_plan    timestamptz := next_plan(p_row.plan, p_row.repeat, p_row.drift, v_zone, p_ended.finished_at);
  v_columns text;
begin
  if v_plan is null then
    return;
  end if;
  select string_agg(quote_ident(attname), ', ' order by attnum) into v_columns
  from pg_catalog.pg_attribute
  where attrelid = p_table.relation and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    and attname <> all (c_own);
  insert into repeating (xid, queue, parent, submitted_by, role, zone)
  values (pg_current_xact_id(), p_ended.queue, p_row.id, p_ended.submitted_by, p_ended.payload ->> 'role', v_zone);
  execute format('insert into %1$s (plan, parent, %2$s) select $2, id, %2$s from %1$s where id = $1',
                 p_table.relation::regclass, v_columns)
  using p_row.id, v_plan;
  -- A trigger of the user's may have kept the row out.
  delete from repeating where xid = pg_current_xact_id() and queue = p_ended.queue and parent = p_row.id;
  if p_row.delete then
    execute format('delete from %s where id = $1 and state = ''DONE'' and output is null and error is null',
                   p_table.relation::regclass)
    using p_row.id;
  end if;
exception when others then
  perform owe(p_ended, 'repeat', sqlerrm);
end;
$$;

-- next_plan() — when a task that repeats is to run again
--
-- With drift, so long after its end; without, at the first point after p_now of the
-- grid that its plan began. Found by counting, however many points were missed; only
-- months are gone through one by one, because each may cut the day (31 January, 28
-- February, 28 March). Null when there is no such time.

create or replace function next_plan(
  p_plan timestamptz, p_repeat interval, p_drift boolean, p_zone text, p_now timestamptz
)
  returns timestamptz
  language plpgsql
as $$
declare
  v_plan timestamp := p_plan at time zone p_zone;
begin
  if p_drift then
    return ((p_now at time zone p_zone) + p_repeat) at time zone p_zone;
  end if;
  if p_repeat < interval '28 days' or extract(month from p_repeat) + extract(year from p_repeat) = 0 then
    return next_every(p_repeat, p_zone, p_plan, greatest(p_now, p_plan));
  end if;
  loop
    v_plan := v_plan + p_repeat;
    exit when v_plan at time zone p_zone > p_now;
  end loop;
  return v_plan at time zone p_zone;
exception when datetime_field_overflow then
  return null;
end;
$$;

-- next_pause() — when a task with a negative max may start, after another has ended at p_now

create or replace function next_pause(p_plan timestamptz, p_max integer, p_drift boolean, p_now timestamptz)
  returns timestamptz
  language sql
  immutable
as $$
  select case
    when p_drift or p_plan > p_now then p_now + pause
    else p_plan + pause * (floor(extract(epoch from p_now - p_plan) / extract(epoch from pause)) + 1)::double precision
  end
  from (select make_interval(secs => -p_max::double precision / 1000)) as given (pause);
$$;
