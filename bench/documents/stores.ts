import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import type { Stage } from '../scenarios/scenario.ts'
import { type DocumentStore, fetchqCalls } from './document-store.ts'

const queue = 'bench'

/** What a subject keeps documents in: a table, the original, or the engine with the dialect over it. */
export function documentStore({ subject }: Stage): DocumentStore {
  if (subject.name === 'fetchq') return original(subject.schema)
  return subject.takesHints ? dialect(subject.schema) : table(subject.schema)
}

function dialect(engineSchema: string): DocumentStore {
  const schema = `${engineSchema}_fq`
  return {
    ...fetchqCalls(schema, queue),
    install: async (admin) => {
      await installDialect(admin, { dialect: 'fetchq', schema, engineSchema })
      await admin.query(`select ${schema}.queue_create('${queue}')`)
    },
    remove: async (admin) => {
      await admin.query(`drop schema if exists ${schema}, ${schema}_data cascade`)
    },
  }
}

/** From the SQL that its Node client carries. It names its schemas; so each stage has a queue of its own. */
function original(stage: string): DocumentStore {
  const own = `q_${stage.slice(-30)}`
  return {
    ...fetchqCalls('fetchq', own),
    install: async (admin) => {
      const { rows } = await admin.query(`select to_regnamespace('fetchq') as found`)
      if (rows[0]?.found === null) {
        const client = dirname(createRequire(import.meta.url).resolve('fetchq/package.json'))
        const file = join(client, 'lib/functions/client/client.init.sql')
        await admin.query(await readFile(file, 'utf8'))
        await admin.query('create extension if not exists "uuid-ossp" schema pg_catalog')
        await admin.query('select fetchq.init()')
      }
      await admin.query(`select fetchq.queue_create('${own}')`)
    },
    remove: async (admin) => {
      await admin.query(`select fetchq.queue_drop('${own}')`)
    },
  }
}

/** The same shapes on a table, without counters, locks that expire, or versions. */
function table(schema: string): DocumentStore {
  const docs = `${schema}.docs`
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
