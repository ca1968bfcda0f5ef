import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'

/** A database of a test's own with a dialect in it: what is set for a database is seen by all that use it. */
export interface OwnDatabase {
  readonly name: string
  readonly dialectSchema: string
  /** Logs in; the connection is closed with the database. */
  connect(config?: pg.ClientConfig): Promise<pg.Client>
}

/** Gives a database to some work, and takes it away afterwards. */
export async function inOwnDatabase(
  dialect: string,
  work: (database: OwnDatabase) => Promise<void>,
): Promise<void> {
  const name = `own_${randomBytes(6).toString('hex')}`
  const url = new URL(inject('pgUrl'))
  url.pathname = `/${name}`
  const clients: pg.Client[] = []
  await asAdmin(`create database ${name}`)
  try {
    await migrate(url.href, { roles: false })
    await installDialect(url.href, { dialect, schema: 'spoken' })
    await work({
      name,
      dialectSchema: 'spoken',
      connect: async (config = {}) => {
        const { user, password, host, port } = new pg.Client(url.href)
        const usual = { user, password, host, port, database: name }
        const client = new pg.Client({ ...usual, ...config } as pg.ClientConfig)
        clients.push(client)
        await client.connect()
        return client
      },
    })
  } finally {
    await Promise.all(clients.map((client) => client.end()))
    await asAdmin(`drop database ${name} with (force)`)
  }
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client(inject('pgUrl'))
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
