import { PrismaPg } from '@prisma/adapter-pg'
import { sql as drizzleSql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleOverPostgresJs } from 'drizzle-orm/postgres-js'
import knexFor from 'knex'
import { Kysely, sql as kyselySql, PostgresDialect } from 'kysely'
import pg from 'pg'
import postgres from 'postgres'
import { DataSource } from 'typeorm'
import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPostgresJs,
  fromPrisma,
  fromTypeorm,
} from '../../src/adapters/index.ts'
import type { Queryable } from '../../src/db/queryable.ts'
import { PrismaClient } from './prisma-client.ts'

/** A transaction as its library gives it: what Tusk runs on, and the library's own way to write. */
interface Transaction {
  readonly on: Queryable
  write(statement: string): PromiseLike<unknown>
}

/** A library with a connection; a transaction is rolled back when its work throws. */
interface Library {
  transaction(work: (tx: Transaction) => Promise<void>): Promise<unknown>
  close(): Promise<unknown>
}

/** Every library there is an adapter for, as its users open it. None of them knows our schema. */
export const libraries: Readonly<Record<string, (url: string) => Promise<Library>>> = {
  pg: async (url) => {
    const client = new pg.Client(url)
    await client.connect()
    return {
      transaction: async (work) => {
        await client.query('begin')
        try {
          await work({ on: client, write: (statement) => client.query(statement) })
          await client.query('commit')
        } catch (error) {
          await client.query('rollback')
          throw error
        }
      },
      close: () => client.end(),
    }
  },

  'postgres.js': async (url) => {
    const sql = postgres(url, { max: 2, onnotice: () => {} })
    return {
      transaction: (work) =>
        sql.begin((tx) =>
          work({ on: fromPostgresJs(tx), write: (statement) => tx.unsafe(statement) }),
        ),
      close: () => sql.end(),
    }
  },

  Drizzle: async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 2 })
    const db = drizzle(pool)
    return {
      transaction: (work) =>
        db.transaction((tx) =>
          work({
            on: fromDrizzle(tx, drizzleSql),
            write: (statement) => tx.execute(drizzleSql.raw(statement)),
          }),
        ),
      close: () => pool.end(),
    }
  },

  'Drizzle over postgres.js': async (url) => {
    const client = postgres(url, { max: 2 })
    const db = drizzleOverPostgresJs(client)
    return {
      transaction: (work) =>
        db.transaction((tx) =>
          work({
            on: fromDrizzle(tx, drizzleSql),
            write: (statement) => tx.execute(drizzleSql.raw(statement)),
          }),
        ),
      close: () => client.end(),
    }
  },

  Kysely: async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 2 })
    const db = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) })
    return {
      transaction: (work) =>
        db.transaction().execute((trx) =>
          work({
            on: fromKysely(trx),
            write: (statement) => kyselySql.raw(statement).execute(trx),
          }),
        ),
      close: () => db.destroy(),
    }
  },

  Knex: async (url) => {
    const knex = knexFor({ client: 'pg', connection: url, pool: { min: 0, max: 2 } })
    return {
      transaction: (work) =>
        knex.transaction((trx) =>
          work({ on: fromKnex(trx), write: (statement) => trx.raw(statement) }),
        ),
      close: () => knex.destroy(),
    }
  },

  TypeORM: async (url) => {
    const source = await new DataSource({ type: 'postgres', url }).initialize()
    return {
      transaction: (work) =>
        source.transaction((manager) =>
          work({ on: fromTypeorm(manager), write: (statement) => manager.query(statement) }),
        ),
      close: () => source.destroy(),
    }
  },

  Prisma: async (url) => {
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) })
    return {
      transaction: (work) =>
        prisma.$transaction((tx) =>
          work({ on: fromPrisma(tx), write: (statement) => tx.$executeRawUnsafe(statement) }),
        ),
      close: () => prisma.$disconnect(),
    }
  },
}
