import pg from 'pg'
import type { Queryable } from '../db/queryable.ts'

/**
 * Puts a schema back to what it was when it was installed: no rows but the defaults of queues and the
 * latches, no days, ids from one.
 */
export async function emptySchema(db: Queryable, schema: string): Promise<void> {
  await db.query(emptying(pg.escapeLiteral(pg.escapeIdentifier(schema))))
}

const emptying = (path: string) => `
  do $empty$
  declare
    v_table  text;
    v_tables text[] := '{}';
    v_used   boolean;
    v_small  boolean;
    v_day    text;
    v_ids    text;
  begin
    perform set_config('search_path', ${path}, true);
    for v_day in
      select relname from pg_class
      where relnamespace = quote_ident(current_schema())::regnamespace and relname ~ '^finished_\\d{8}$'
    loop
      execute format('drop table %I', v_day);
    end loop;
    -- Only what was used. To truncate a table makes new files of it and of all its indexes, and every session
    -- plans its statements anew: where there are few rows they are deleted. The audit rejects every delete.
    for v_table, v_small in
      select quote_ident(relname), relname <> 'audit' and pg_relation_size(oid) < 262144
      from pg_class
      where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'r' and relname not in ('installed', 'queues', 'latches')
    loop
      execute format('select exists (select from %s)', v_table) into v_used;
      if v_used and v_small then
        execute 'delete from ' || v_table;
      elsif v_used then
        v_tables := v_tables || v_table;
      end if;
    end loop;
    if v_tables <> '{}' then
      -- A trigger keeps every role from emptying the audit.
      if 'audit' = any (v_tables) then
        alter table audit disable trigger audit_is_not_emptied;
      end if;
      execute 'truncate ' || array_to_string(v_tables, ', ');
      if 'audit' = any (v_tables) then
        alter table audit enable trigger audit_is_not_emptied;
      end if;
    end if;
    for v_ids in
      select sequencename from pg_sequences where schemaname = current_schema() and last_value is not null
    loop
      execute format('alter sequence %I restart', v_ids);
    end loop;
    -- The defaults are stored anew, so that no column keeps a value, also one that a later version adds.
    delete from queues;
    insert into queues (name, packs, max_attempts, max_payload, keep_done, keep_failed, keep_cancelled, backoff, on_lost)
    values (
      '*', true, 5, 262144, '7 days', '7 days', '7 days',
      '{"kind": "exponential", "base": "1 second", "cap": "1 hour", "jitter": 0}', 'retry'
    );
  end $empty$;
`
