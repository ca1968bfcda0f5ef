import type { Client } from 'pg'

/** Documents as their users call for them: one call, one statement. */
export interface DocumentStore {
  install(admin: Client): Promise<void>
  remove(admin: Client): Promise<void>
  append(db: Client): Promise<void>
  push(db: Client, subject: string): Promise<void>
  pushMany(db: Client, subjects: readonly string[]): Promise<void>
  /** Gives the subjects. */
  pick(db: Client, limit: number): Promise<string[]>
  complete(db: Client, subject: string): Promise<void>
}

const payload = '{"n":1}'

/** The functions of Fetchq in a schema: our dialect's, or the original's. */
export function fetchqCalls(
  schema: string,
  queue: string,
): Omit<DocumentStore, 'install' | 'remove'> {
  return {
    append: async (db) => {
      await db.query(`select * from ${schema}.doc_append('${queue}', '${payload}', 0, 0)`)
    },
    push: async (db, subject) => {
      await db.query(
        `select * from ${schema}.doc_push('${queue}', '${subject}', 0, 0, now(), '${payload}')`,
      )
    },
    pushMany: async (db, subjects) => {
      const tuples = subjects.map((subject) => `(''${subject}'', 0, ''${payload}'', {DATA})`)
      await db.query(
        `select * from ${schema}.doc_push('${queue}', 0, now(), '${tuples.join(', ')}')`,
      )
    },
    pick: async (db, limit) => {
      const { rows } = await db.query<{ subject: string }>(
        `select * from ${schema}.doc_pick('${queue}', 0, ${limit}, '5m')`,
      )
      return rows.map(({ subject }) => subject)
    },
    complete: async (db, subject) => {
      await db.query(`select * from ${schema}.doc_complete('${queue}', '${subject}', '${payload}')`)
    },
  }
}
