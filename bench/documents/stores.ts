import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import type { Stage } from '../scenarios/scenario.ts'
import { type DocumentStore, fetchqCalls } from './document-store.ts'
import { functions } from './functions.ts'
import { table } from './table.ts'

const queue = 'bench'

/** What a subject keeps documents in: a table, also behind functions, the original, or the engine with the dialect over it. */
export function documentStore({ subject }: Stage): DocumentStore {
  if (subject.name === 'fetchq') return original(subject.schema)
  if (subject.name === 'functions') return functions(subject.schema)
  return subject.takesHints ? dialect(subject.schema) : table(subject.schema)
}

/** Our dialect over an engine. */
export function dialect(engineSchema: string): DocumentStore {
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
export function original(stage: string): DocumentStore {
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
