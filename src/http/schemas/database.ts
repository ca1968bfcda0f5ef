import { z } from '@hono/zod-openapi'
import { json, time } from './common.ts'

const name = z.string().nullable()
const bytes = z.number().nullable()

const server = z.object({
  version: z.string(),
  database: z.string(),
  user: z.string(),
  is_standby: z.boolean(),
  started_at: time,
  now: time,
  max_connections: z.int(),
  connections: z.int(),
  database_bytes: bytes,
  notify_usage: z.number(),
})

const lockWait = z.object({
  pid: z.int(),
  user: name,
  relation: name,
  mode: z.string(),
  seconds: z.number().nullable(),
  query: name,
  blocked_by: z.array(z.int()),
})

const transaction = z.object({
  pid: z.int(),
  user: name,
  application: name,
  state: name,
  seconds: z.number(),
  wait_event: name,
  holds_back_vacuum: z.boolean(),
  query: name,
})

const table = z.object({
  name: z.string(),
  rows: z.number().openapi({ description: 'An estimate.' }),
  dead: z.number(),
  table_bytes: bytes,
  index_bytes: bytes,
  total_bytes: bytes,
  last_vacuum_at: time.nullable(),
  last_analyze_at: time.nullable(),
})

const index = z.object({
  name: z.string(),
  table: z.string(),
  bytes,
  scans: z.number(),
  is_valid: z.boolean(),
})

const finding = z.object({
  check: z.string(),
  level: z.enum(['notice', 'warning', 'problem']),
  message: z.string(),
  hint: name,
  details: json,
})

/** As src/doctor gives it. */
export const database = z
  .object({
    server,
    connections: z.array(z.object({ user: name, application: name, state: name, count: z.int() })),
    locks: z.object({
      held: z.array(z.object({ relation: z.string(), mode: z.string(), held: z.int() })),
      waiting: z.array(lockWait),
    }),
    transactions: z.array(transaction).openapi({ description: 'The longest first.' }),
    relations: z.object({ tables: z.array(table), indexes: z.array(index) }),
    migrations: z.array(
      z.object({ path: z.string(), state: z.string(), applied_at: time.nullable() }),
    ),
    warnings: z.array(finding).openapi({ description: 'What is wrong, and what to do.' }),
    unseen: z.array(z.string()).openapi({ description: 'What the login may not see.' }),
  })
  .openapi('Database')
