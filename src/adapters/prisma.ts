import type { Queryable } from '../db/queryable.ts'
import { rowsOf } from './rows-of.ts'

/** A Prisma client for Postgres, or the one that `$transaction()` passes to its callback. */
export interface PrismaExecutor {
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>
}

/**
 * Enqueues in an interactive transaction of [Prisma](https://www.prisma.io).
 *
 * @example
 * ```ts
 * await prisma.$transaction(async (tx) => {
 *   await tx.order.create({ data: order })
 *   await tusk.enqueue('send_invoice', { order: 7 }, { on: fromPrisma(tx) })
 * })
 * ```
 */
export function fromPrisma(executor: PrismaExecutor): Queryable {
  return rowsOf(async (text, values) => {
    try {
      return await executor.$queryRawUnsafe(text, ...values)
    } catch (error) {
      throw databaseError(error)
    }
  })
}

interface Said {
  readonly originalCode: string
  readonly originalMessage: string
}

/** Prisma reports its own error codes. The code of the database is nested inside. */
function databaseError(error: unknown): unknown {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Partial<Said> } } }
  const said = meta?.driverAdapterError?.cause
  if (said?.originalCode === undefined) return error
  const { originalCode: code, originalMessage } = said
  return Object.assign(new Error(originalMessage, { cause: error }), { code })
}
