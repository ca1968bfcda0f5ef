import { z } from '@hono/zod-openapi'
import { json } from './common.ts'

export const sqlText = z.strictObject({ sql: z.string().max(200_000) }).openapi('SqlText')

export const statementList = z
  .object({
    statements: z.array(
      z.object({
        text: z.string(),
        kind: z.string().openapi({ example: 'create index' }),
        in_transaction: z
          .boolean()
          .openapi({ description: 'Whether it may run in a transaction with other statements.' }),
      }),
    ),
    more: z.int().openapi({ description: 'How many statements follow after the first 1,000.' }),
    error: z
      .object({
        message: z.string(),
        position: z
          .int()
          .nullable()
          .openapi({ description: 'The position in characters, from 1.' }),
      })
      .nullable()
      .openapi({ description: 'Why the parser rejects it. A newer server may accept it.' }),
  })
  .openapi('StatementList')

export const sqlStatement = z
  .object({
    name: z.string(),
    sql: z.string(),
    params: z.array(z.string()),
    role: z.string().nullable(),
    connection: z.string().nullable(),
    settings: json,
    granted_to: z.array(z.string()),
  })
  .openapi('SqlStatement')

export const sqlConnection = z
  .object({
    name: z.string(),
    options: json,
    secret: json.openapi({
      description: 'Where a worker finds the secret; never the secret itself.',
    }),
    roles: z.array(z.string()),
    granted_to: z.array(z.string()),
  })
  .openapi('SqlConnection')

export const sqlRole = z.object({ submitter: z.string(), role: z.string() }).openapi('SqlRole')
