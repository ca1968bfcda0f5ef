import type pg from 'pg'
import { checkOut, giveBack } from './check-out.ts'
import { destroyConnection } from './close-connection.ts'
import { isConnectionLost } from './connection-errors.ts'

/** Runs work on a connection of a pool. `cuts` gets a function that cuts the connection while it is in use. */
export async function withCuttableClient<T>(
  pool: pg.Pool,
  cuts: Set<() => void>,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await checkOut(pool)
  const cut = () => destroyConnection(client)
  cuts.add(cut)
  let isLost = false
  try {
    return await work(client)
  } catch (error) {
    isLost = isConnectionLost(error)
    throw error
  } finally {
    cuts.delete(cut)
    giveBack(client, isLost)
  }
}
