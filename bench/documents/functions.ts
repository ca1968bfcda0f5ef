import { type DocumentStore, fetchqCalls } from './document-store.ts'
import { tableOfDocuments } from './table.ts'

/**
 * The table behind functions of Fetchq's names. As the dialect's they run with the rights of their
 * owner, so that callers need none on the table, and in a search path of their own; they check and
 * count nothing. The bulk is pasted, as in the original.
 */
export function functions(schema: string): DocumentStore {
  const { install, remove } = tableOfDocuments(`${schema}.docs`)
  return {
    ...fetchqCalls(schema, 'bench'),
    install: async (admin) => {
      await install(admin)
      await admin.query(`set search_path = ${schema}, pg_catalog`)
      for (const [signature, body] of calls) {
        await admin.query(
          `create or replace function ${signature} language plpgsql security definer
           set search_path from current as $$ #variable_conflict use_column
           begin ${body}; end $$`,
        )
      }
      await admin.query('reset search_path')
    },
    remove,
  }
}

const calls = [
  [
    'doc_append(queue varchar, p_payload jsonb, version integer, p_priority integer, out subject varchar)',
    `insert into docs values (gen_random_uuid(), p_priority, 1, now(), p_payload)
     returning docs.subject into doc_append.subject`,
  ],
  [
    `doc_push(queue varchar, p_subject varchar, version integer, p_priority integer, p_next timestamptz,
              p_payload jsonb, out queued integer)`,
    `insert into docs values (p_subject, p_priority, 1, p_next, p_payload) on conflict do nothing;
     get diagnostics queued = row_count`,
  ],
  [
    'doc_push(queue varchar, version integer, p_next timestamptz, p_data varchar, out queued integer)',
    `execute 'insert into docs (subject, priority, payload, next_iteration) values '
       || replace(p_data, '{DATA}', quote_literal(p_next)) || ' on conflict do nothing';
     get diagnostics queued = row_count`,
  ],
  [
    `doc_pick(queue varchar, version integer, p_limit integer, p_duration varchar)
       returns table (subject varchar, payload jsonb)`,
    `return query
     update docs set status = 2, next_iteration = now() + p_duration::interval
     where subject = any (array(
       select subject from docs where status = 1 and next_iteration <= now()
       order by priority desc, next_iteration limit p_limit for update skip locked))
     returning subject, payload`,
  ],
  [
    'doc_complete(queue varchar, p_subject varchar, p_payload jsonb, out affected integer)',
    `update docs set status = 3, payload = p_payload where subject = p_subject and status = 2;
     get diagnostics affected = row_count`,
  ],
] as const
