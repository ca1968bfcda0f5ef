import type { DocumentStore } from './document-store.ts'

/** The same shapes on a table, without counters, locks that expire, or versions. */
export function table(schema: string): DocumentStore {
  const docs = `${schema}.docs`
  return {
    ...tableOfDocuments(docs),
    append: async (db) => {
      await db.query(`insert into ${docs} values (gen_random_uuid()::text, 0, 1, now(), '{"n":1}')`)
    },
    push: async (db, subject) => {
      await db.query(
        `insert into ${docs} values ('${subject}', 0, 1, now(), '{"n":1}') on conflict do nothing`,
      )
    },
    pushMany: async (db, subjects) => {
      const tuples = subjects.map((subject) => `('${subject}', 0, 1, now(), '{"n":1}')`)
      await db.query(`insert into ${docs} values ${tuples.join(', ')} on conflict do nothing`)
    },
    pick: async (db, limit) => {
      const { rows } = await db.query<{ subject: string }>(
        `update ${docs} set status = 2, next_iteration = now() + interval '5m'
         where subject = any (array(
           select subject from ${docs} where status = 1 and next_iteration <= now()
           order by priority desc, next_iteration limit ${limit} for update skip locked))
         returning subject, payload`,
      )
      return rows.map(({ subject }) => subject)
    },
    complete: async (db, subject) => {
      await db.query(
        `update ${docs} set status = 3, payload = '{"n":1}' where subject = '${subject}' and status = 2`,
      )
    },
  }
}

export function tableOfDocuments(docs: string): Pick<DocumentStore, 'install' | 'remove'> {
  return {
    install: async (admin) => {
      await admin.query(
        `create table ${docs} (
           subject varchar(50) primary key, priority integer not null, status integer not null default 1,
           next_iteration timestamptz not null, payload jsonb not null);
         create index docs_to_pick on ${docs} (priority desc, next_iteration) where status = 1`,
      )
    },
    remove: async (admin) => {
      await admin.query(`drop table if exists ${docs}`)
    },
  }
}
